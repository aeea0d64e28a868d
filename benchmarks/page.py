"""Writes docs/reference/performance.md from the raw numbers beside it, page.md and not-reached.md."""
import json
import os
import re
import string

import first_apply
import measure
import no_op
import scale
import startup

PAGE = os.path.join(measure.ROOT, "docs", "reference", "performance.md")
RAW = os.path.join(measure.ROOT, "docs", "reference", "performance.json")
HERE = os.path.join(measure.ROOT, "benchmarks")

MANY, MOST = 1000, 10000


def ratio(command):
    return lambda results: startup.beside(results["startup"], command)


def plan_cpu(results):
    if results["startup"]["hosts"] != startup.SIZES[0]:
        return None
    return measure.median(results["startup"]["commands"]["deepsite plan"], "cpu")


def scale_cpu(results):
    return scale.cpu(results["scale"], MANY)


def growth(value):
    """Of a value from many nodes to the most."""
    def of(results):
        few, most = (value(results["scale"]["nodes"].get(str(nodes))) for nodes in (MANY, MOST))
        return most / few if few and most else None
    return of


def of_plan(row):
    return row and measure.median(row["deepsite plan"], "cpu")


def saved(row):
    return row and row["saved"]["bytes"]


def memory_of_most(results):
    row = results["scale"]["nodes"].get(str(MOST))
    return row and measure.median(row["deepsite plan"], "memory")


def more_hosts(results):
    return no_op.growth(results["no-op"], "deepsite apply")


def baked(what):
    def of(results):
        result = results["first-apply"]
        return first_apply.wall(result, what, "baked") if result["more"] == first_apply.SIZES[0] else None
    return of


# Key of not-reached.md, the part it is measured in, what, its value, the target, and how both are written.
TARGETS = [
    ("version", "startup", "`--version`, CPU by that of `ansible --version`", ratio("deepsite --version"), 0.45, "{:.2f}"),
    ("validate", "startup", "`validate` of the quickstart, CPU by that of `ansible-inventory --list`", ratio("deepsite validate"), 1.0, "{:.2f}"),
    ("plan", "startup", "`plan`, nothing to change, 4 hosts, CPU", plan_cpu, 0.7, "{:.2f} s"),
    ("plan-1000", "scale", "`plan` of a new Slurm site of 1000 nodes, CPU", scale_cpu, 4.0, "{:.2f} s"),
    ("plan-growth", "scale", "`plan` of 10 000 nodes, CPU by that of 1000", growth(of_plan), 12.0, "{:.1f} ×"),
    ("plan-memory", "scale", "`plan` of 10 000 nodes, memory", memory_of_most, 1024, "{:.0f} MiB"),
    ("plan-saved", "scale", "`plan` of 10 000 nodes, size of the saved plan by that of 1000 (linear: 10 ×)", growth(saved), 10.2, "{:.1f} ×"),
    ("no-op-growth", "no-op", "`apply`, nothing to change, CPU for each host more", more_hosts, 30, "{:.0f} ms"),
    ("first-apply", "first-apply", "first apply of the quickstart from baked images, wall time", baked(first_apply.FIRST), 20, "{:.1f} s"),
    ("more-nodes", "first-apply", "22 nodes more from baked images, wall time", baked(first_apply.MORE), 90, "{:.1f} s"),
]


def kept():
    """The numbers of the last runs, by part."""
    return json.loads(measure.read(RAW)) if os.path.exists(RAW) else {}


def reasons():
    """Of not-reached.md: a line `key: text` for each target that was missed."""
    lines = measure.read(os.path.join(HERE, "not-reached.md")).splitlines()
    return dict(line.split(": ", 1) for line in lines if ": " in line and not line.startswith("#"))


def targets(parts):
    results = {name: part["result"] for name, part in parts.items()}
    rows, missed = [], []
    for key, part, what, value, target, form in TARGETS:
        found = value(results) if part in results else None
        if found is None:
            verdict, shown = "not measured", ""
        else:
            verdict, shown = "reached" if found <= target else "**not reached**", form.format(found)
        if verdict.startswith("*"):
            missed.append((key, what))
        rows.append([what, shown, "≤ " + form.format(target), verdict])
    text = measure.table(["what", "measured", "target", ""], rows)
    if missed:
        why = reasons()
        for key, _ in missed:
            if key not in why:
                measure.say(f"benchmarks/not-reached.md has no reason for {key}")
        text += "\nNot reached:\n\n" + "".join(f"- {what}: {why.get(key, 'not explained yet.')}\n" for key, what in missed)
    return text


def origin(part):
    machine, load = part["machine"], part["load"]
    return (
        f"{part['date']} UTC, commit {part['commit']}; {machine['processor']}, {machine['processors']} processors, {machine['memoryGiB']} GiB, "
        f"Linux {machine['linux']}; load {load['begin'][0]} at the beginning, {load['end'][0]} at the end; rounds, unless a table says otherwise: {part['rounds']}."
    )


def tools(parts):
    """Versions; several where parts were measured with different ones."""
    every = {}
    for part in parts.values():
        for tool, version in part["versions"].items():
            every.setdefault(tool, []).append(version)
    return measure.table(["tool", "version"], [[tool, ", ".join(dict.fromkeys(found))] for tool, found in every.items()])


def write(parts, modules):
    fields = {"targets": targets(parts), "tools": tools(parts)}
    for name, module in modules.items():
        text = f"Measured {origin(parts[name])}\n\n{module.text(parts[name]['result'])}" if name in parts else "Not measured yet.\n"
        fields[name.replace("-", "_")] = text
    template = string.Template(measure.read(os.path.join(HERE, "page.md")))
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(template.substitute({key: text.rstrip("\n") for key, text in fields.items()}))
    # The times of one command in one line.
    raw = re.sub(r"\[[-\d.,\s]+\]", lambda found: re.sub(r"\s+", " ", found[0]).replace("[ ", "[").replace(" ]", "]"),
                 json.dumps(parts, indent=2, ensure_ascii=False))
    with open(RAW, "w", encoding="utf-8") as file:
        file.write(raw + "\n")
