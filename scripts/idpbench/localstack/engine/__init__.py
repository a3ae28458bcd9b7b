"""The document engine: reads a PDF for real and answers as the accelerator would. One function: `process`."""

from idpbench.localstack.engine.cache import Cache
from idpbench.localstack.engine.engine import Job, Outcome, PageOutput, process
from idpbench.localstack.engine.profile import Profile, load_profile

__all__ = ["Cache", "Job", "Outcome", "PageOutput", "Profile", "load_profile", "process"]
