"""`python -m idpbench` is the console command."""

import sys

from idpbench.cli import main

sys.exit(main())
