# The verdict becomes figures and a page; the finished set is copied into results/.


rule plot_figures:
    input:
        code=code("report.figures", step="plot_figures"),
        comparison="work/{backend}/pairs/{pair}/comparison.json",
        new=of_pair(0, "summary.json"),
        base=of_pair(1, "summary.json"),
    output:
        figures=directory("work/{backend}/pairs/{pair}/figures"),
    log:
        "work/logs/plot_figures/{backend}/{pair}.log",
    conda:
        "../envs/idpbench.yaml"
    params:
        new=subpath(input.new, parent=True),
        base=subpath(input.base, parent=True),
    message:
        "Drawing the figures of {wildcards.pair}"
    shell:
        "python $STEPS/plot_figures.py --comparison {input.comparison:q} --new-side {params.new:q} --base-side {params.base:q}"
        " --output {output.figures:q} 2> {log:q}"


rule release_page:
    input:
        code=code("report", step="release_page"),
        templates=templates(),
        notes=notes_of_pair,
        comparison="work/{backend}/pairs/{pair}/comparison.json",
        certificate="work/{backend}/pairs/{pair}/certificate.json",
        figures="work/{backend}/pairs/{pair}/figures",
        new=of_pair(0, "summary.json"),
        base=of_pair(1, "summary.json"),
    output:
        page="work/{backend}/pairs/{pair}/page.md",
        entry="work/{backend}/pairs/{pair}/release.json",
    log:
        "work/logs/release_page/{backend}/{pair}.log",
    conda:
        "../envs/idpbench.yaml"
    params:
        address=pair_address,
        notes=lambda wildcards, input: f"--notes {input.notes}" if input.notes else "",
        new=subpath(input.new, parent=True),
        base=subpath(input.base, parent=True),
    message:
        "Writing the page of {wildcards.pair}"
    shell:
        "python $STEPS/release_page.py --comparison {input.comparison:q} --new-side {params.new:q} --base-side {params.base:q}"
        " --certificate {input.certificate:q} --figures {input.figures:q} {params.notes} --output {output.page:q} 2> {log:q}"


rule publish:
    input:
        code=publishing_code("publish"),
        comparison="work/{backend}/pairs/{pair}/comparison.json",
        certificate="work/{backend}/pairs/{pair}/certificate.json",
        baseline="work/{backend}/pairs/{pair}/baseline.json",
        figures="work/{backend}/pairs/{pair}/figures",
        page="work/{backend}/pairs/{pair}/page.md",
        new=of_pair(0, "summary.json"),
        base=of_pair(1, "summary.json"),
    output:
        stamp="work/{backend}/pairs/{pair}/published.json",
    log:
        "work/logs/publish/{backend}/{pair}.log",
    conda:
        "../envs/idpbench.yaml"
    params:
        altered=altered_results,
        new=subpath(input.new, parent=True),
        base=subpath(input.base, parent=True),
    message:
        "Publishing {wildcards.pair} into results/{wildcards.backend}"
    shell:
        "python $STEPS/publish.py --comparison {input.comparison:q} --baseline {input.baseline:q} --page {input.page:q}"
        " --certificate {input.certificate:q} --figures {input.figures:q}"
        " --new-side {params.new:q} --base-side {params.base:q} --results results --output {output.stamp:q} 2> >(tee {log:q} >&2)"


rule publish_side:
    input:
        code=publishing_code("publish"),
        new="work/{backend}/{version}/{grid}/summary/summary.json",
    output:
        stamp="work/{backend}/{version}/{grid}/published.json",
    log:
        "work/logs/publish_side/{backend}/{version}/{grid}.log",
    conda:
        "../envs/idpbench.yaml"
    params:
        altered=altered_side,
        new=subpath(input.new, parent=True),
    message:
        "Publishing {wildcards.version}/{wildcards.grid} into results/{wildcards.backend}"
    shell:
        "python $STEPS/publish.py --new-side {params.new:q} --results results --output {output.stamp:q} 2> >(tee {log:q} >&2)"


rule release:
    input:
        published(),
        published_pages(),


rule smoke:
    input:
        published("smoke"),


rule suite:
    input:
        published_side,


rule gate:
    input:
        comparison=comparison(),
        certificate=certificate_in_full(),
        published=published(),
        pages=published_pages(),
    log:
        "work/logs/gate.log",
    conda:
        "../envs/idpbench.yaml"
    message:
        "The verdict"
    shell:
        "python $STEPS/gate.py --comparison {input.comparison:q} 2> {log:q}"


rule certificate:
    input:
        certificate=certificate_in_full(),
        published=published(),


rule settle:
    input:
        plan=plan_of_settling,
        comparison=comparison(),
        published=published(),
    log:
        "work/logs/settle.log",
    conda:
        "../envs/idpbench.yaml"
    params:
        how=settle_flags,
    message:
        "Settling what the comparison leaves open"
    shell:
        "python $STEPS/settle.py --comparison {input.comparison:q} {params.how} 2> >(tee {log:q} >&2)"
