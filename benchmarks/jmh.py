"""JMH inside one warm JVM: clusters/src/test/java/io/deepsite/operations/SiteBenchmark.java, which the build compiles and runs once."""
import glob
import json
import os
import shutil
import tempfile

import measure
import memory

TITLE = "Inside the JVM"
SIZES = [100, 1000]
MOST_FORKS = 3
# Five iterations of two seconds to warm up, five that count.
TIMES = ["-wi", "5", "-w", "2s", "-i", "5", "-r", "2s"]
WHAT = {
    "load": "read and check a `site.yaml`",
    "render": "render all roles of all its hosts",
    "plan": "plan it, rendered already",
}


def runners(path, folder):
    """Makes JMH's runners of the compiled benchmarks; returns where they are."""
    compiled, sources, made = (os.path.join(folder, name) for name in ("compiled", "sources", "made"))
    package = os.path.join("io", "deepsite", "operations")
    tests = os.path.join(measure.ROOT, "clusters", "target", "quick", "test-classes", package)
    os.makedirs(os.path.join(compiled, package))
    # JMH loads every class that it finds.
    for file in glob.glob(os.path.join(tests, "SiteBenchmark*.class")):
        if not file.endswith("Test.class"):
            shutil.copy(file, os.path.join(compiled, package))
    measure.once([memory.java(), "-cp", path, "org.openjdk.jmh.generators.bytecode.JmhBytecodeGenerator", compiled, sources, made])
    files = glob.glob(os.path.join(sources, "**", "*.java"), recursive=True)
    measure.once([os.path.join(os.path.dirname(memory.java()), "javac"), "-proc:none", "-cp", path, "-d", made, *files])
    return made


def measured(rounds, sizes):
    home = os.path.join(measure.ROOT, "clusters")
    quick = os.path.join(home, "target", "quick")
    path = ":".join([os.path.join(quick, "test-classes"), os.path.join(quick, "classes"), memory.class_path("clusters", "benchmarks")])
    with tempfile.TemporaryDirectory() as folder:
        made = runners(path, folder)
        file = os.path.join(folder, "result.json")
        measure.once(
            [memory.java(), "-cp", f"{made}:{path}", "org.openjdk.jmh.Main", *TIMES, "-f", str(min(rounds, MOST_FORKS)),
             "-p", f"nodes={','.join(str(size) for size in sizes)}", "-rf", "json", "-rff", file], home)
        found = json.loads(measure.read(file))
    rows = {}
    for one in found:
        name = one["benchmark"].rsplit(".", 1)[1]
        metric = one["primaryMetric"]
        rows.setdefault(name, {})[one["params"]["nodes"]] = {
            "unit": metric["scoreUnit"], "score": metric["score"], "error": metric["scoreError"], "raw": metric["rawData"]}
    return {"jmh": found[0]["jmhVersion"], "forks": found[0]["forks"], "benchmarks": rows}


def text(result):
    rows = [
        [f"{what} of {nodes} nodes", f"{score['score']:.2f} ± {float(score['error']):.2f}"]
        for name, what in WHAT.items()
        for nodes, score in sorted(result["benchmarks"][name].items(), key=lambda one: int(one[0]))
    ]
    return measure.table(["", "ms"], rows) + f"\nJMH {result['jmh']}; JVMs: {result['forks']}, five iterations in each; ± is its 99.9 % interval.\n"
