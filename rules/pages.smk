# Pages made from results/ itself: models, guidance, studies. They read every published side of a backend: `release` renews
# them, and so does `snakemake suite guidance`, whose suite is published before they are made.


checkpoint publications:
    input:
        published_first,
    output:
        stamp=touch("work/{backend}/pages/publications"),
    log:
        "work/logs/publications/{backend}.log",
    conda:
        "../envs/idpbench.yaml"
    message:
        "What this command publishes is published: the pages on all sides of {wildcards.backend} may be made"
    shell:
        ": 2> {log:q}"


rule models_page:
    input:
        code=code("report", step="models_page"),
        templates=templates(),
        config=registries,
        sides=published_sides,
    output:
        made=directory("work/{backend}/pages/models/made"),
    log:
        "work/logs/models_page/{backend}.log",
    conda:
        "../envs/idpbench.yaml"
    params:
        results="results/{backend}",
    message:
        "Writing the models measured on {wildcards.backend}"
    shell:
        "python $STEPS/models_page.py --results {params.results:q} --output {output.made:q} 2> {log:q}"


rule guidance_page:
    input:
        code=code("report", "gate", step="guidance_page"),
        templates=templates(),
        config=registries,
        sides=published_sides,
    output:
        made=directory("work/{backend}/pages/guidance/made"),
    log:
        "work/logs/guidance_page/{backend}.log",
    conda:
        "../envs/idpbench.yaml"
    params:
        results="results/{backend}",
    message:
        "Writing the configuration guidance of {wildcards.backend}"
    shell:
        "python $STEPS/guidance_page.py --results {params.results:q} --output {output.made:q} 2> {log:q}"


rule studies_pages:
    input:
        code=code("report", "gate", step="studies_pages"),
        templates=templates(),
        config=registries,
        studies=studies_asked,
        sides=published_sides,
    output:
        made=directory("work/{backend}/pages/studies/made"),
    log:
        "work/logs/studies_pages/{backend}.log",
    conda:
        "../envs/idpbench.yaml"
    params:
        results="results/{backend}",
    message:
        "Answering the studies of {wildcards.backend}"
    shell:
        "python $STEPS/studies_pages.py --results {params.results:q} --output {output.made:q} 2> {log:q}"


rule publish_pages:
    input:
        code=publishing_code("publish_pages"),
        made="work/{backend}/pages/{page}/made",
    output:
        stamp="work/{backend}/pages/{page}/published.json",
    log:
        "work/logs/publish_pages/{backend}/{page}.log",
    wildcard_constraints:
        page="models|guidance|studies",
    conda:
        "../envs/idpbench.yaml"
    params:
        altered=altered_pages,
    message:
        "Publishing the {wildcards.page} page of {wildcards.backend}"
    shell:
        "python $STEPS/publish_pages.py --made {input.made:q} --page {wildcards.page} --backend {wildcards.backend}"
        " --results results --output {output.stamp:q} 2> >(tee {log:q} >&2)"


rule models:
    input:
        published_pages("models"),


rule guidance:
    input:
        published_pages("guidance"),


rule studies:
    input:
        published_pages("studies"),
