"""Figures of a release page, one file each; every figure is a .png, a .svg and a .csv with the numbers it shows."""
