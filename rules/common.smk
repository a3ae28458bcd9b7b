# Functions only: what the rules ask before a job exists. One Invocation answers; it reads configuration, vault and
# manifest, opens no socket and writes nothing.

import atexit
import functools
import json
import os
import shlex
import sys
from pathlib import Path

sys.path.insert(0, os.path.join(workflow.basedir, "scripts"))

from idpbench.files import redact
from idpbench.files.errors import Refusal
from idpbench.files.provenance import sources
from idpbench.report.altered import address, altered
from idpbench.report.ownership import Pair
from idpbench.stack.invocation import Invocation

shell.prefix(
    "set -euo pipefail; unset PYTHONDONTWRITEBYTECODE; export IDPBENCH_EXIT_CODE=work/exit_code"
    f" STEPS={shlex.quote(os.path.join(workflow.basedir, 'scripts'))}"
    f" PATH={shlex.quote(str(Path(sys.executable).parent))}:$PATH; "
)


def refuse(refusal):
    """End the command with one line and the refusal's own exit code."""
    print(redact.log(f"idpbench: {refusal}"), file=sys.stderr)
    raise SystemExit(refusal.exit_code)


def asked(question):
    """The same function, which ends the command politely where it is refused."""

    @functools.wraps(question)  # Snakemake looks at the names of the parameters
    def answer(*given, **named):
        try:
            return question(*given, **named)
        except Refusal as refusal:
            refuse(refusal)

    return answer


@asked
def invocation():
    """This command as typed: settings, options, sides, what the vault already holds."""
    return Invocation(Path(workflow.basedir), config)


COMMAND = invocation()


def code(*modules, step):
    """Source files of a rule's library modules and of its step, as inputs: edit one and the rule runs again."""
    files = [*sources(*modules), Path(workflow.basedir, "scripts", f"{step}.py")]
    return [os.path.relpath(path) for path in files]


def templates():
    """The page templates, which are inputs like code."""
    folder = Path(workflow.basedir, "scripts", "idpbench", "report", "templates")
    return [os.path.relpath(path) for path in sorted(folder.glob("*.j2"))]


def publishing_code(step, *more):
    """What decides which files a step publishes, and how the pages shared by all releases read; `more` are its own."""
    rooms = (
        "publish",
        "bundle",
        "evidence",
        "ownership",
        "index",
        "landing",
        "promote",
        "trend",
        "shelf",
        "figures.trend",
        "retention.page",
        "pages",
        "templating",
    )
    return [*code(*(f"report.{room}" for room in rooms), *more, step=step), *templates()]


def side(wildcards):
    return COMMAND.side(f"{wildcards.backend}/{wildcards.version}/{wildcards.grid}")


manifest_entry = asked(lambda wildcards: COMMAND.manifest_entry(wildcards.document))
documents_of_side = asked(lambda wildcards: COMMAND.document_files(side(wildcards)))
side_request = asked(lambda wildcards: COMMAND.request_text(side(wildcards)))
side_digest = asked(lambda wildcards: side(wildcards).digest)
lost_side = asked(lambda wildcards: COMMAND.lost(side(wildcards)))
launch_options = asked(lambda wildcards: COMMAND.launch_flags(side(wildcards)))


def landed_before(wildcards):
    """VERSION's runs wait for PREV's: the stack is upgraded in place between the two."""
    earlier = COMMAND.base_of(side(wildcards))
    return f"work/{earlier}/landed.json" if earlier else []


def landed(wildcards):
    """What landed.json says of each cell; asking for it makes the checkpoint run first."""
    of_side = {name: wildcards[name] for name in ("backend", "version", "grid")}
    with checkpoints.landed.get(**of_side).output[0].open() as stream:
        return json.load(stream)["cells"]


def cell_records(wildcards):
    return landed(wildcards)[wildcards.cell]["records"]


def cell_truth(wildcards):
    """Truth of the generated documents that a cell ran."""
    return COMMAND.document_files(side(wildcards), wildcards.cell, ".truth.json")


def side_scores(wildcards):
    folder = f"work/{side(wildcards).address}/scores"
    return [f"{folder}/{cell}.json" for cell in landed(wildcards)]


def pair_named(suite=None):
    """The A/B of this command on a suite, and its two sides; one side against itself is refused."""
    new, base = COMMAND.pair(suite)
    return Pair(new.version, base.version, new.suite, new.slug, new.series), new, base


def pair_at(wildcards):
    """The pair that a path names, and its two sides."""
    for suite in (None, "smoke"):
        found = pair_named(suite)
        if found[0].name == wildcards.pair:
            return found
    raise Refusal(f"{wildcards.pair}: not a pair of this command's options; repeat the options it was made with")


def sides_of(wildcards):
    """VERSION's and PREV's side of the pair that a path names."""
    return pair_at(wildcards)[1:]


def pair_folder(suite=None):
    return f"work/{COMMAND.options.backend}/pairs/{pair_named(suite)[0].name}"


def of_pair(which, name):
    """A summary file of the newer (0) or the older (1) side of a pair."""
    return asked(lambda wildcards: f"work/{sides_of(wildcards)[which].address}/summary/{name}")


def settled_of_pair(wildcards):
    """The repeats that a settling bought for this pair, where one did."""
    path = COMMAND.settled_file(sides_of(wildcards)[0])
    return [os.path.relpath(path)] if path.exists() else []


def settled_flag(wildcards, input):
    return f"--settled {input.settled}" if input.settled else ""


SETTLING = []  # where this command will have noted what it bought, if it is the one that settles


@asked
def plan_of_settling(wildcards):
    """What more repeats would decide; nothing where this pair is settled already, since that is done once."""
    path = COMMAND.settled_file(pair_named()[1])
    if path.exists():
        return []
    SETTLING[:] = [path]
    return f"{pair_folder()}/settle.json"


def settle_flags(wildcards, input):
    """What the step is told: what to buy and for how much, or only where the purchase is noted."""
    flags = ["--record", f"{pair_folder()}/purchase.json"]
    if input.plan:
        _, new, base = pair_named()
        requests = [json.loads(COMMAND.request_text(side)) for side in (new, base)]
        flags += ["--plan", str(input.plan), "--requests", json.dumps(requests)]
        flags += ["--settled", os.path.relpath(COMMAND.settled_file(new))]
        if COMMAND.options.budget_usd is not None:
            flags += ["--budget", str(COMMAND.options.budget_usd)]
    return shlex.join(flags)


def launch_what_was_bought():
    """After a purchase: the same command once more, whose plan now holds the runs that were bought."""
    if any(path.exists() for path in SETTLING):
        sys.stdout.flush()
        os.execv(sys.executable, [sys.executable, "-m", "snakemake", *sys.argv[1:]])


IN_FULL = set()  # pairs whose certificate this command asks for with all relabellings
RELABELLINGS = 200
RELABELLINGS_IN_FULL = 1000
MOST_ROWS = 1000  # a larger grid waits for target `certificate`


def certificate_in_full(suite=None):
    """The certificate of the command's pair, with all relabellings from now on."""

    def answer(wildcards):
        folder = pair_folder(suite)
        IN_FULL.add(folder)
        return f"{folder}/certificate.json"

    return asked(answer)


def relabellings(wildcards):
    """How many the certificate should rest on: what was asked for or is there already, so that nothing is undone."""
    folder = Path("work", wildcards.backend, "pairs", wildcards.pair)
    if str(folder) in IN_FULL:
        return RELABELLINGS_IN_FULL
    try:
        there = json.loads((folder / "certificate.json").read_bytes())["relabellings"]
    except (OSError, ValueError, KeyError):
        there = 0
    return max(RELABELLINGS, there)


def relabelling_flags(wildcards):
    """What the step is told, which a release does not pay for in full although somebody once asked for it."""
    if f"work/{wildcards.backend}/pairs/{wildcards.pair}" in IN_FULL:
        return f"--relabellings {RELABELLINGS_IN_FULL}"
    return f"--relabellings {RELABELLINGS} --most-rows {MOST_ROWS}"


base_source = asked(lambda wildcards: sides_of(wildcards)[1].address)


@asked
def pair_address(wildcards):
    """Who owns the addresses that the page links to; constant while that is the pair itself."""
    return address(f"results/{wildcards.backend}", pair_at(wildcards)[0])


def notes_of_pair(wildcards):
    """The Analysis of a page, where somebody wrote one."""
    path = f"notes/{wildcards.pair.split('-')[0]}.md"
    return [path] if os.path.exists(path) else []


def published(suite=None):
    return asked(lambda wildcards: f"{pair_folder(suite)}/published.json")


def comparison(suite=None):
    return asked(lambda wildcards: f"{pair_folder(suite)}/comparison.json")


@asked
def asked_pair(wildcards):
    """The command as JSON, from which a step asks the same; both sides of the pair are projected from now on."""
    for found in COMMAND.pair():
        COMMAND.side(found.address)
    return COMMAND.config_text


published_side = asked(lambda wildcards: f"work/{COMMAND.new_side().address}/published.json")


def altered_side(wildcards):
    return altered(f"work/{side(wildcards).address}/published.json", "results")


published_classification = asked(
    lambda wildcards: f"work/{COMMAND.classification().address}/classification/published.json"
)


def altered_classification(wildcards):
    return altered(f"work/{side(wildcards).address}/classification/published.json", "results")


def testset(wildcards):
    """The test set that is assembled for this command."""
    return COMMAND.testset(f"work/testsets/{wildcards.sample}/{wildcards.testset}")


testset_digest = asked(lambda wildcards: testset(wildcards).digest)
testset_flags = asked(lambda wildcards: testset(wildcards).flags)


def altered_results(wildcards):
    return altered(f"work/{wildcards.backend}/pairs/{wildcards.pair}/published.json", "results")


def altered_pages(wildcards):
    return altered(f"work/{wildcards.backend}/pages/{wildcards.page}/published.json", "results")


PUBLISHING = {  # targets that change what the pages on all sides are made from, with the stamp that each ends in
    **dict.fromkeys(("all", "release", "gate", "certificate", "settle"), published()),
    "suite": published_side,
    "classification": published_classification,
}


def published_first(wildcards):
    """Stamps of what this command publishes itself."""
    targets = workflow.dag_settings.targets or {"all"}
    return [stamp(wildcards) for name, stamp in PUBLISHING.items() if name in targets]


def published_sides(wildcards):
    """Summaries of every published side of a backend, with the meta that says what they are.

    Looked for when all that this command publishes is published: until then the checkpoint puts the question off.
    """
    checkpoints.publications.get(backend=wildcards.backend)
    folder = Path("results", wildcards.backend)
    return sorted(str(path) for name in ("summary", "meta") for path in folder.glob(f"v*/**/{name}.json"))


def registries(wildcards):
    """What pages on configurations name: axes, cells, documents, suites, models."""
    return [f"config/{name}.yaml" for name in ("axes", "cells", "documents", "suites", "models")]


def studies_asked(wildcards):
    """The studies, one file each."""
    return sorted(str(path) for path in Path("config", "studies").glob("*.yaml"))


def published_pages(*names):
    """Stamps of the pages that are made from all published sides, or of those named."""
    folder = f"work/{COMMAND.options.backend}/pages"
    return [f"{folder}/{name}/published.json" for name in names or ("models", "guidance", "studies")]


hold_lock = asked(COMMAND.hold_lock)


def say_left_out():
    """Documents that the command names and cannot have; a dry run says it at its end."""
    if text := COMMAND.left_out():
        print(text, file=sys.stderr, flush=True)


@asked
def check_budget():
    try:
        COMMAND.check_budget()
    except Refusal:
        print(COMMAND.projection(), flush=True)
        raise


def end_with_verdict():
    """End with the message and the exit code that a failed step left: Snakemake knows only 1, and may show no log."""
    left = Path("work/exit_code")
    code, _, told = (left.read_text() if left.exists() else "1").partition("\n")
    if told.strip():
        print(told.strip(), file=sys.stderr, flush=True)
    raise SystemExit(int(code))


if workflow.output_settings.dryrun:
    atexit.register(lambda: print(COMMAND.projection(), flush=True))
