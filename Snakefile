# idpbench: the pipeline from configuration to release page. The rules live in rules/, in the order of the data.
#
#   snakemake release --config version=0.6.9 prev=0.6.8       compare two releases and write the page
#   snakemake -n release --config version=0.6.9 prev=0.6.8    what would run, and what it would cost

from snakemake.utils import min_version

min_version("9.27")


# Configuration is read in common.smk by the library, whose errors name file, line and key.
include: "rules/common.smk"
include: "rules/common_benchmarks.smk"


wildcard_constraints:
    backend="local|aws",
    version=r"v[0-9]+\.[0-9]+\.[0-9]+[a-z0-9.+-]*",
    grid=r"[a-z0-9][A-Za-z0-9._=,~+-]*",
    pair=r"[0-9][A-Za-z0-9._=,~+-]*",
    cell=r"[a-z0-9][a-z0-9-]*",
    document=r"[a-z0-9][a-z0-9_]*",
    testset=r"[a-z0-9][a-z0-9_]*",
    sample=r"[0-9]+|all",
    member=r"[a-z0-9-]+",
    claim_suite=r"[a-z0-9][a-z0-9-]*",
    extractor=r"[a-z0-9][a-z0-9-]*",
    kind="modality|polarity|validity",


include: "rules/corpus.smk"
include: "rules/configs.smk"
include: "rules/estimate.smk"
include: "rules/runs.smk"
include: "rules/score.smk"
include: "rules/compare.smk"
include: "rules/report.smk"
include: "rules/pages.smk"
include: "rules/classification.smk"
include: "rules/claims.smk"
include: "rules/gold.smk"


rule all:
    default_target: True
    input:
        published(),
        published_pages(),


onstart:
    hold_lock()
    say_left_out()
    check_budget()


onsuccess:
    launch_what_was_bought()


onerror:
    end_with_verdict()
