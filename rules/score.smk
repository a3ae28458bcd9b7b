# Run records and truth become rows, one job per cell; rows become the summary of a side.


rule score:
    input:
        code=code("scoring", "pricing", step="score"),
        prices="config/pricing.yaml",
        records=cell_records,
        truth=cell_truth,
    output:
        scores="work/{backend}/{version}/{grid}/scores/{cell}.json",
    log:
        "work/logs/score/{backend}/{version}/{grid}/{cell}.log",
    conda:
        "../envs/idpbench.yaml"
    message:
        "Scoring {wildcards.version}/{wildcards.grid} {wildcards.cell}"
    shell:
        "python $STEPS/score.py --records {input.records:q} --truth-dir corpus/docs --pricing {input.prices:q}"
        " --output {output.scores:q} 2> {log:q}"


rule summarize:
    input:
        code=code("summary", step="summarize"),
        prices="config/pricing.yaml",
        plan="work/{backend}/{version}/{grid}/plan.json",
        landed="work/{backend}/{version}/{grid}/landed.json",
        scores=side_scores,
    output:
        summary="work/{backend}/{version}/{grid}/summary/summary.json",
        rows="work/{backend}/{version}/{grid}/summary/summary.csv",
        cells="work/{backend}/{version}/{grid}/summary/cell_stats.csv",
        meta="work/{backend}/{version}/{grid}/summary/meta.json",
        records="work/{backend}/{version}/{grid}/summary/runs.jsonl.gz",
    log:
        "work/logs/summarize/{backend}/{version}/{grid}.log",
    conda:
        "../envs/idpbench.yaml"
    params:
        folder=subpath(output.summary, parent=True),
    message:
        "Summarizing {wildcards.version}/{wildcards.grid}"
    shell:
        "python $STEPS/summarize.py --plan {input.plan:q} --landed {input.landed:q} --pricing {input.prices:q}"
        " --scores {input.scores:q} --output {params.folder:q} 2> {log:q}"
