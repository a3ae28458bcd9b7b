"""Room `corpus`: document generators, their exact truth, the manifest and the self-check."""
