"""An apply of many machines on the provider in memory: each of its calls takes 5 ms, hosts answer at once, a script replaces Ansible.

What remains is deepsite's own work.
"""
import functools
import os
import re
import subprocess
import sys
import tempfile

import measure

TITLE = "Apply of many machines, in memory"
SIZES = [500, 5000]
MANY = 4000
ROUNDS_OF_MANY = 3
LATENCY = 5
# What LargeApply prints.
NUMBERS = {
    "planned": r"plan: \d+ steps, ([\d.]+) s",
    "steps": r"apply: .*? ([\d]+) done",
    "failed": r"apply: .*? ([\d]+) failed",
    "perSecond": r"([\d.]+) steps/s",
    "cpu": r"CPU ([\d.]+) s",
    "peak": r"peak (\d+) MiB",
    "calls": r"([\d.]+) calls a machine",
    "state": r"state (\d+) KiB",
}


@functools.cache
def class_path(module, *options):
    """The classes of a module and its tests, compiled, with their libraries."""
    maven = os.path.join(measure.ROOT, "dist", "mvn")
    with tempfile.TemporaryDirectory() as folder:
        libraries = os.path.join(folder, "classpath")
        command = [maven, "-q", "-P", ",".join(["quick", *options]), "-pl", module, "-am", "test-compile"]
        subprocess.run(
            [*command, "dependency:build-classpath", f"-Dmdep.outputFile={libraries}"],
            cwd=measure.ROOT, check=True, stdout=sys.stderr)
        return measure.read(libraries).strip()


def java():
    return os.path.join(measure.output(os.path.join(measure.ROOT, "dist", "find-jdk")), "bin", "java")


def large_apply(machines):
    home = os.path.join(measure.ROOT, "engine")
    path = ":".join([os.path.join(home, "target", "quick", "test-classes"), os.path.join(home, "target", "quick", "classes"), class_path("engine")])
    with tempfile.TemporaryDirectory() as folder:
        command = [java(), "-Xmx1g", "-cp", path, "io.deepsite.apply.LargeApply", str(machines), str(LATENCY), folder]
        run = measure.once(command, home)
    numbers = {name: re.search(pattern, run.said) for name, pattern in NUMBERS.items()}
    if not all(numbers.values()) or numbers["failed"].group(1) != "0":
        raise measure.Failed(f"LargeApply with {machines} machines printed something unexpected:\n{run.said[-4000:]}")
    return run, {name: float(found.group(1)) for name, found in numbers.items()}


def measured(rounds, sizes):
    class_path("engine")
    rows = {str(machines): [] for machines in sizes}
    for turn in range(rounds):
        for machines in sizes:
            if machines >= MANY and turn >= ROUNDS_OF_MANY:
                continue
            run, numbers = large_apply(machines)
            rows[str(machines)].append((run, numbers))
            measure.say(f"  {turn + 1}/{rounds} {machines} machines: {numbers['perSecond']:.0f} steps/s, {run.memory} MiB")
    return {
        "machines": {
            machines: {**measure.times([run for run, _ in runs]), "inside": {name: [one[name] for _, one in runs] for name in NUMBERS}}
            for machines, runs in rows.items()
        }
    }


def text(result):
    rows = []
    for machines, row in result["machines"].items():
        inside = {name: measure.median(row["inside"], name) for name in NUMBERS}
        rows.append([
            machines, len(row["cpu"]), f"{inside['steps']:.0f}", f"{inside['planned']:.1f}", f"{inside['perSecond']:.0f}",
            f"{inside['cpu']:.1f}", f"{measure.median(row, 'memory'):.0f}", f"{inside['calls']:.2f}", f"{inside['state'] / 1024:.1f}",
        ])
    return measure.table(
        ["machines", "rounds", "steps", "plan, wall s", "steps a second", "CPU s", "MiB", "calls a machine", "state MiB"], rows)
