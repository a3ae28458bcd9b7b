# Target `classification`: models side by side on packets of several documents, page by page.


rule assemble_testset:
    input:
        code=code("corpus", "settings.packets", "stack.testfolder", step="assemble_testset"),
    output:
        stamp="work/testsets/{sample}/{testset}/testset.json",
    log:
        "work/logs/assemble_testset/{sample}/{testset}.log",
    conda:
        "../envs/idpbench.yaml"
    params:
        content=testset_digest,
        flags=testset_flags,
    message:
        "Assembling test set {wildcards.testset}"
    shell:
        "python $STEPS/assemble_testset.py {params.flags} --output {output.stamp:q} 2> {log:q}"


rule summarize_classification:
    input:
        code=code("scoring", "summary", "report.classification", step="summarize_classification"),
        prices="config/pricing.yaml",
        plan="work/{backend}/{version}/{grid}/plan.json",
        landed="work/{backend}/{version}/{grid}/landed.json",
        summary="work/{backend}/{version}/{grid}/summary/summary.json",
    output:
        summary="work/{backend}/{version}/{grid}/classification/summary.json",
        page="work/{backend}/{version}/{grid}/classification/README.md",
    log:
        "work/logs/summarize_classification/{backend}/{version}/{grid}.log",
    conda:
        "../envs/idpbench.yaml"
    message:
        "Pooling the pages of {wildcards.version}/{wildcards.grid}"
    shell:
        "python $STEPS/summarize_classification.py --plan {input.plan:q} --landed {input.landed:q}"
        " --summary {input.summary:q} --pricing {input.prices:q} --output {output.summary:q} 2> {log:q}"


rule publish_classification:
    input:
        code=publishing_code("publish_classification"),
        summary="work/{backend}/{version}/{grid}/classification/summary.json",
        page="work/{backend}/{version}/{grid}/classification/README.md",
        side="work/{backend}/{version}/{grid}/summary/summary.json",
    output:
        stamp="work/{backend}/{version}/{grid}/classification/published.json",
    log:
        "work/logs/publish_classification/{backend}/{version}/{grid}.log",
    conda:
        "../envs/idpbench.yaml"
    params:
        altered=altered_classification,
        side=subpath(input.side, parent=True),
    message:
        "Publishing {wildcards.version}/{wildcards.grid} into results/{wildcards.backend}"
    shell:
        "python $STEPS/publish_classification.py --summary {input.summary:q} --side {params.side:q}"
        " --address {wildcards.backend:q}/{wildcards.version:q}/{wildcards.grid:q} --results results"
        " --output {output.stamp:q} 2> >(tee {log:q} >&2)"


rule classification:
    input:
        published_classification,
