# What a comparison would cost, without launching anything: the projection of a dry run, as a target.


rule estimate:
    log:
        "work/logs/estimate.log",
    conda:
        "../envs/idpbench.yaml"
    params:
        config=asked_pair,
    message:
        "Projecting the runs, cost and time of both sides"
    shell:
        "python $STEPS/estimate.py --config {params.config:q} 2> {log:q}"
