# The two sides of an A/B become one verdict.


rule make_baseline:
    input:
        code=code("report.promote", step="make_baseline"),
        summary=of_pair(1, "summary.json"),
    output:
        baseline="work/{backend}/pairs/{pair}/baseline.json",
    log:
        "work/logs/make_baseline/{backend}/{pair}.log",
    conda:
        "../envs/idpbench.yaml"
    params:
        source=base_source,
    message:
        "Baseline of {wildcards.pair}: the previous release's summary"
    shell:
        "python $STEPS/make_baseline.py --summary {input.summary:q} --source {params.source:q}"
        " --output {output.baseline:q} 2> {log:q}"


rule compare:
    input:
        code=code("gate", step="compare"),
        rules="config/gate.yaml",
        settled=settled_of_pair,
        summary=of_pair(0, "summary.json"),
        baseline="work/{backend}/pairs/{pair}/baseline.json",
    output:
        comparison="work/{backend}/pairs/{pair}/comparison.json",
    log:
        "work/logs/compare/{backend}/{pair}.log",
    conda:
        "../envs/idpbench.yaml"
    params:
        settled=settled_flag,
    message:
        "Comparing {wildcards.pair}"
    shell:
        "python $STEPS/compare.py --new {input.summary:q} --base {input.baseline:q} --gate {input.rules:q}"
        " {params.settled} --output {output.comparison:q} 2> {log:q}"


rule certify:
    input:
        code=code("gate", step="certify"),
        rules="config/gate.yaml",
        settled=settled_of_pair,
        summary=of_pair(0, "summary.json"),
        baseline="work/{backend}/pairs/{pair}/baseline.json",
    output:
        certificate="work/{backend}/pairs/{pair}/certificate.json",
    log:
        "work/logs/certify/{backend}/{pair}.log",
    conda:
        "../envs/idpbench.yaml"
    resources:
        how=relabelling_flags,
    params:
        settled=settled_flag,
        relabellings=relabellings,
    message:
        "Relabelling the runs of {wildcards.pair} at random: how often would chance alone give a finding?"
    shell:
        "python $STEPS/certify.py --new {input.summary:q} --base {input.baseline:q} --gate {input.rules:q}"
        " {params.settled} {resources.how} --cache work/{wildcards.backend}/certificates"
        " --published results/{wildcards.backend}/releases --output {output.certificate:q} 2> {log:q}"


rule plan_settle:
    input:
        code=code("gate", step="plan_settle"),
        rules="config/gate.yaml",
        summary=of_pair(0, "summary.json"),
        baseline="work/{backend}/pairs/{pair}/baseline.json",
    output:
        plan="work/{backend}/pairs/{pair}/settle.json",
    log:
        "work/logs/plan_settle/{backend}/{pair}.log",
    conda:
        "../envs/idpbench.yaml"
    message:
        "How many repeats would decide what {wildcards.pair} leaves open?"
    shell:
        "python $STEPS/plan_settle.py --new {input.summary:q} --base {input.baseline:q} --gate {input.rules:q}"
        " --output {output.plan:q} 2> {log:q}"
