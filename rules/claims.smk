# Target `claims`: the shipped extractors on the shipped suites. Extraction and scoring are rules of their own, so that a
# changed metric scores again what was stated and extracts nothing.


rule emit_claims:
    input:
        code=code(
            "claims.extractors",
            "claims.suite",
            "claims.emitted",
            "claims.recordings",
            "claims.bench.extraction",
            "claims.bench.sources",
            step="emit_claims",
        ),
        suite=claim_suite,
        fixtures=claim_fixtures,
    output:
        emitted="work/claims/emissions/{claim_suite}/{extractor}.json",
    log:
        "work/logs/emit_claims/{claim_suite}/{extractor}.log",
    conda:
        "../envs/idpbench.yaml"
    params:
        fixtures=claim_setting("fixtures"),
    message:
        "{wildcards.extractor} reads the sources of {wildcards.claim_suite}"
    shell:
        "python $STEPS/emit_claims.py --suite {input.suite:q} --extractor {wildcards.extractor:q}"
        " --fixtures {params.fixtures:q} --output {output.emitted:q} 2> {log:q}"


rule score_claims:
    input:
        code=code(
            "claims.matching",
            "claims.judge",
            "claims.subjects",
            "claims.score",
            "claims.metrics",
            "claims.outcomes",
            "claims.ece",
            "claims.emitted",
            "claims.recordings",
            "claims.repeats",
            "claims.report",
            "claims.bench.judging",
            "claims.bench.passes",
            "claims.bench.published",
            step="score_claims",
        ),
        config="config/claims.yaml",
        authority=claim_setting("authority"),
        suite=claim_suite,
        emitted="work/claims/emissions/{claim_suite}/{extractor}.json",
    output:
        result="work/claims/results/{claim_suite}/{extractor}.json",
    log:
        "work/logs/score_claims/{claim_suite}/{extractor}.log",
    conda:
        "../envs/idpbench.yaml"
    message:
        "Scoring {wildcards.extractor} on {wildcards.claim_suite}"
    shell:
        "python $STEPS/score_claims.py --suite {input.suite:q} --emitted {input.emitted:q}"
        " --output {output.result:q} 2> {log:q}"


rule score_harness:
    input:
        code=code(
            "claims.extractors",
            "claims.harness",
            "claims.matching",
            "claims.judge",
            "claims.metrics",
            "claims.emitted",
            "claims.suite",
            "claims.bench.extraction",
            "claims.bench.judging",
            step="score_harness",
        ),
        config="config/claims.yaml",
        suite=claim_suite,
    output:
        report="work/claims/harness/{kind}/{claim_suite}/{extractor}.json",
    log:
        "work/logs/score_harness/{kind}/{claim_suite}/{extractor}.log",
    conda:
        "../envs/idpbench.yaml"
    message:
        "Measuring {wildcards.kind} of {wildcards.extractor} on {wildcards.claim_suite}"
    shell:
        "python $STEPS/score_harness.py --kind {wildcards.kind} --suite {input.suite:q}"
        " --extractor {wildcards.extractor:q} --output {output.report:q} 2> {log:q}"


rule check_conformance:
    input:
        code=code("claims.extractors", "claims.emitted", "claims.suite", "claims.routing", step="check_conformance"),
        fixtures=claim_fixture_files,
    output:
        report="work/claims/conformance.json",
    log:
        "work/logs/check_conformance.log",
    conda:
        "../envs/idpbench.yaml"
    params:
        fixtures=claim_setting("fixtures"),
    message:
        "Checking the form of every extractor's claims"
    shell:
        "python $STEPS/check_conformance.py --fixtures {params.fixtures:q} --output {output.report:q} 2> {log:q}"


rule claims_page:
    input:
        code=code("claims.pages", "claims.compare", step="claims_page"),
        suites=claim_suites,
        results=claim_results,
        harness=claim_harnesses,
        conformance="work/claims/conformance.json",
    output:
        page="work/claims/page/README.md",
    log:
        "work/logs/claims_page.log",
    conda:
        "../envs/idpbench.yaml"
    message:
        "Writing the page of the claims benchmark"
    shell:
        "python $STEPS/claims_page.py --results {input.results:q} --suites {input.suites:q}"
        " --harness {input.harness:q} --conformance {input.conformance:q} --output {output.page:q} 2> {log:q}"


rule publish_claims:
    input:
        code=publishing_code("publish_claims", "claims.bench.published"),
        page="work/claims/page/README.md",
        results=claim_results,
        harness=claim_harnesses,
    output:
        stamp="work/claims/published.json",
    log:
        "work/logs/publish_claims.log",
    conda:
        "../envs/idpbench.yaml"
    params:
        altered=altered_claims,
    message:
        "Publishing the claims benchmark into results/claims"
    shell:
        "python $STEPS/publish_claims.py --page {input.page:q} --results-made {input.results:q}"
        " --harness {input.harness:q} --results results --output {output.stamp:q} 2> >(tee {log:q} >&2)"


rule claims:
    input:
        "work/claims/published.json",
