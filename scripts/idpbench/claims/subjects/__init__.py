"""Subjects: does a name reach the right entry of an authority?"""
