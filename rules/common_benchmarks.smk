# Functions only: what the rules of targets `claims` and `gold` ask before a job exists. They stand on those of common.smk.

from idpbench.gold.workflow import GoldCommand


def claim_measures(*kinds):
    """What target `claims` measures: suites with their extractors. Loaded only where that target asks."""
    from idpbench.claims.bench.work import measures

    if not CLAIM_MEASURES:
        CLAIM_MEASURES.extend(measures(Path()))
    return [measure for measure in CLAIM_MEASURES if measure.kind in kinds]


CLAIM_MEASURES = []
HARNESSES = ("modality", "polarity", "validity")


def claim_measure(wildcards):
    """The one that a path names."""
    for measure in claim_measures("suites", *HARNESSES):
        if (measure.suite_id, measure.extractor_id) == (wildcards.claim_suite, wildcards.extractor):
            return measure
    raise Refusal(f"claims: no suite {wildcards.claim_suite} belongs to {wildcards.extractor}; ask for target `claims`")


claim_suite = asked(lambda wildcards: str(claim_measure(wildcards).suite))
claim_fixtures = asked(lambda wildcards: [str(path) for path in claim_measure(wildcards).fixtures])
claim_suites = asked(lambda wildcards: [str(measure.suite) for measure in claim_measures("suites")])
claim_results = asked(
    lambda wildcards: [
        f"work/claims/results/{measure.suite_id}/{measure.extractor_id}.json" for measure in claim_measures("suites")
    ]
)
claim_harnesses = asked(
    lambda wildcards: [
        f"work/claims/harness/{measure.kind}/{measure.suite_id}/{measure.extractor_id}.json"
        for measure in claim_measures(*HARNESSES)
    ]
)


def claim_setting(name):
    """A path of config/claims.yaml, for an input or a parameter."""

    def found(wildcards):
        from idpbench.settings.claims import load_claims

        return getattr(load_claims(Path()), name)

    return asked(found)


def claim_fixture_files(wildcards):
    """Every part of every conformance fixture."""
    return sorted(str(path) for path in Path(claim_setting("fixtures")(wildcards)).glob("*/*"))


def altered_claims(wildcards):
    return altered("work/claims/published.json", "results")


GOLD = GoldCommand(Path(workflow.basedir), COMMAND.options.staged)

gold_suite = asked(lambda wildcards: GOLD.suite)
gold_staged = asked(lambda wildcards: GOLD.staged_for(wildcards.member))
gold_pin = asked(lambda wildcards: GOLD.pin(wildcards.member))
gold_workbook = asked(lambda wildcards: GOLD.workbook(wildcards.member))
gold_reference = asked(lambda wildcards: GOLD.reference(wildcards.member))
gold_scores = asked(lambda wildcards: [f"work/gold/members/{member}/score.json" for member in GOLD.members])
gold_committed = asked(lambda wildcards: GOLD.committed())


def gold_templates():
    """The templates of the gold pages, which are inputs like code."""
    folder = Path(workflow.basedir, "scripts", "idpbench", "gold", "pages", "templates")
    return [os.path.relpath(path) for path in sorted(folder.glob("*.j2"))]


def altered_gold(wildcards):
    return altered("work/gold/published.json", "results")
