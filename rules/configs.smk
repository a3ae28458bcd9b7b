# The plan of a side: its runs by key, and one configuration per cell and class.


rule plan_side:
    input:
        documents=documents_of_side,
    output:
        plan="work/{backend}/{version}/{grid}/plan.json",
    log:
        "work/logs/plan_side/{backend}/{version}/{grid}.log",
    conda:
        "../envs/idpbench.yaml"
    params:
        request=side_request,
        runs=side_digest,
    message:
        "Planning {wildcards.version}/{wildcards.grid} on {wildcards.backend}"
    shell:
        "python $STEPS/plan_side.py --request {params.request:q} --expect {params.runs} --output {output.plan:q} 2> {log:q}"
