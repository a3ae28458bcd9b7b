# Documents with exact truth, made anew on each machine and held against the committed manifest.


rule generate_document:
    input:
        code=code("corpus", "reading", step="generate_corpus"),
    output:
        pdf="corpus/docs/{document}.pdf",
        truth="corpus/docs/{document}.truth.json",
    log:
        "work/logs/generate_document/{document}.log",
    conda:
        "../envs/idpbench.yaml"
    params:
        manifest=manifest_entry,
    message:
        "Generating {wildcards.document}.pdf and reading it back"
    shell:
        "python $STEPS/generate_corpus.py --documents {wildcards.document:q} --output corpus/docs --check 2> {log:q}"
