"""Room `claims`: does an extractor state the right facts? Suites, matching, metrics, calibration and harnesses.

Everything here is a pure function over plain data, except where a module's first line says that it reads or writes.
"""
