# Target `gold`: the embedded model on the current frozen suite, and the pages of all committed results. Asking and scoring
# are rules of their own per member, so that a changed metric scores again what was answered and asks nobody.


rule gold_answer:
    input:
        code=code(
            "gold.heuristic",
            "gold.transport",
            "gold.workbook",
            "gold.xlsx",
            "gold.scalars",
            step="gold_answer",
        ),
        workbook=gold_workbook,
    output:
        calls="work/gold/members/{member}/calls.jsonl",
    log:
        "work/logs/gold_answer/{member}.log",
    conda:
        "../envs/idpbench.yaml"
    params:
        pin=gold_pin,
        suite=gold_suite,
        staged=gold_staged,
    message:
        "Asking about {wildcards.member}"
    shell:
        "python $STEPS/gold_answer.py --suite {params.suite:q} --member {wildcards.member:q}"
        " --staged {params.staged:q} --output {output.calls:q} 2> {log:q}"


rule gold_score:
    input:
        code=code(
            "gold.recipe",
            "gold.execute",
            "gold.tidy",
            "gold.trace",
            "gold.scalars",
            "gold.jcs",
            "gold.metrics",
            "gold.mismatches",
            "gold.run.attempts",
            "gold.run.judge",
            "gold.run.score",
            "gold.result.schema",
            step="gold_score",
        ),
        reference=gold_reference,
        calls="work/gold/members/{member}/calls.jsonl",
    output:
        member="work/gold/members/{member}/score.json",
    log:
        "work/logs/gold_score/{member}.log",
    conda:
        "../envs/idpbench.yaml"
    params:
        suite=gold_suite,
        staged=gold_staged,
    message:
        "Scoring {wildcards.member}"
    shell:
        "python $STEPS/gold_score.py --suite {params.suite:q} --member {wildcards.member:q}"
        " --staged {params.staged:q} --calls {input.calls:q} --output {output.member:q} 2> {log:q}"


rule gold_result:
    input:
        code=code("gold.result", "gold.run.plan", "gold.run.steps", "gold.run.template", step="gold_result"),
        members=gold_scores,
    output:
        result="work/gold/result.json",
    log:
        "work/logs/gold_result.log",
    conda:
        "../envs/idpbench.yaml"
    params:
        suite=gold_suite,
    message:
        "Writing the result on {params.suite}"
    shell:
        "python $STEPS/gold_result.py --suite {params.suite:q} --scores {input.members:q}"
        " --output {output.result:q} 2> {log:q}"


rule publish_gold:
    input:
        code=publishing_code(
            "publish_gold", "gold.pages", "gold.board", "gold.feed", "gold.shelf", "gold.publish", "gold.result"
        ),
        templates=gold_templates(),
        config="config/gold.yaml",
        committed=gold_committed,
        result="work/gold/result.json",
    output:
        stamp="work/gold/published.json",
    log:
        "work/logs/publish_gold.log",
    conda:
        "../envs/idpbench.yaml"
    params:
        altered=altered_gold,
    message:
        "Publishing into results/gold"
    shell:
        "python $STEPS/publish_gold.py --result {input.result:q} --results results"
        " --output {output.stamp:q} 2> >(tee {log:q} >&2)"


rule gold:
    input:
        "work/gold/published.json",
