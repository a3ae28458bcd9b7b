"""Subcommands of `idpbench claims`. Each imports what it needs only when it runs, so that --help is quick."""
