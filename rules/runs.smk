# All paid work of a side in one job. It has no code among its inputs: only a new run key can launch a run.


checkpoint landed:
    input:
        plan="work/{backend}/{version}/{grid}/plan.json",
        after=landed_before,
    output:
        landed="work/{backend}/{version}/{grid}/landed.json",
    log:
        "work/logs/landed/{backend}/{version}/{grid}.log",
    conda:
        "../envs/idpbench.yaml"
    threads: 0
    params:
        records="work/{backend}/{version}/{grid}/records",
        lost=lost_side,
        how=launch_options,
    message:
        "Landing {wildcards.version}/{wildcards.grid} on {wildcards.backend}: launch what the vault lacks, collect everything"
    shell:
        "python $STEPS/landed.py --plan {input.plan:q} --records {params.records:q} --output {output.landed:q} {params.how}"
        " 2> >(tee {log:q} >&2)"
