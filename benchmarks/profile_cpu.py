"""Where the time of the commands goes that missed their target, inside of Java: samples by what they work for."""
import json
import os
import re
import subprocess
import tempfile

import lab
import measure

TITLE = "Profile"
SIZES = [4]
# By CPU time, not by wall time: a thread that waits is in none.
SETTINGS = """<?xml version="1.0" encoding="UTF-8"?>
<configuration version="2.0"><event name="jdk.CPUTimeSample"><setting name="enabled">true</setting><setting name="throttle">1ms</setting></event></configuration>
"""
# The first that a stack has, from its top on, is what the sample counts for.
GROUPS = [
    ("proxies of annotations, and reflection", r"java\.lang\.reflect\.Proxy|jdk\.proxy|sun\.reflect\.annotation|ProxyGenerator|java\.lang\.reflect|jdk\.internal\.reflect"),
    ("lambdas and string templates (invokedynamic)", r"java\.lang\.invoke"),
    ("cryptography", r"javax\.crypto|com\.sun\.crypto|sun\.security|org\.bouncycastle|java\.security"),
    ("SSH (sshj)", r"net\.schmizz|com\.hierynomus"),
    ("HTTP (OkHttp)", r"okhttp3|okio"),
    ("picocli", r"picocli"),
    ("jinjava", r"com\.hubspot"),
    ("YAML (snakeyaml)", r"org\.yaml"),
    ("JSON (Jackson)", r"com\.fasterxml|tools\.jackson"),
    ("deepsite", r"io\.deepsite"),
]


def runtime(folder):
    """The tool's Java with the recorder, and the tool's command line: its own runtime has none."""
    with open(measure.DEEPSITE, encoding="utf-8") as file:
        launcher = file.read()
    line = re.search(r'exec "\$home/runtime/bin/java" (.*?) -XX:AOTCache=.*?-cp "([^"]+)"', launcher, re.S)
    jdk = subprocess.run([os.path.join(measure.ROOT, "dist", "find-jdk")], capture_output=True, text=True, check=True).stdout.strip()
    home = os.path.join(measure.ROOT, "dist", "target", "deepsite")
    with open(os.path.join(home, "runtime", "release"), encoding="utf-8") as file:
        modules = re.search(r'MODULES="([^"]+)"', file.read())[1].split()
    target = os.path.join(folder, "runtime")
    subprocess.run([os.path.join(jdk, "bin", "jlink"), "--add-modules", ",".join([*modules, "jdk.jfr"]), "--output", target], check=True)
    # The recorder says on stdout that it began; errors stay.
    flags = [flag for flag in line[1].split() if not flag.startswith("-Xlog")] + ["-Xlog:disable"]
    java = [os.path.join(target, "bin", "java"), *flags]
    rest = [f"-Ddeepsite.home={home}", "-cp", line[2].replace("$lib", os.path.join(home, "lib")), "io.deepsite.cli.Main"]
    return java, rest, os.path.join(jdk, "bin", "jfr")


def group(stack):
    for frame in stack:
        name = frame["method"]["type"]["name"].replace("/", ".")
        for title, pattern in GROUPS:
            if re.match(pattern, name):
                return title
    return "the rest of Java's library"


def samples(jfr, file):
    printed = subprocess.run([jfr, "print", "--json", "--stack-depth", "64", "--events", "jdk.CPUTimeSample", file], capture_output=True, text=True, check=True)
    found = {}
    for event in json.loads(printed.stdout)["recording"]["events"]:
        values = event["values"]
        stack = (values.get("stackTrace") or {}).get("frames", [])
        title = group(stack) if stack else "the JVM while Java waits for it (loading classes)"
        found[title] = found.get(title, 0) + 1
    return found


def profiled(java, rest, jfr, command, folder, rounds):
    cache, record, settings = (os.path.join(folder, "profile" + end) for end in (".aot", ".jfr", ".jfc"))
    with open(settings, "w", encoding="utf-8") as file:
        file.write(SETTINGS)
    subprocess.run([*java, f"-XX:AOTCacheOutput={cache}", *rest, *command], cwd=folder, capture_output=True, check=True)
    counts = {}
    for _ in range(rounds):
        measure.once([*java, f"-XX:AOTCache={cache}", f"-XX:StartFlightRecording:filename={record},settings={settings}", *rest, *command], folder)
        for title, count in samples(jfr, record).items():
            counts[title] = counts.get(title, 0) + count
    return {"rounds": rounds, "samples": dict(sorted(counts.items(), key=lambda row: -row[1]))}


def measured(rounds, sizes):
    with lab.site("bench-profile") as (site,), tempfile.TemporaryDirectory() as folder:
        site.to_hosts(sizes[0])
        java, rest, jfr = runtime(folder)
        quickstart = os.path.join(measure.ROOT, "site-examples", "quickstart", "site.yaml")
        return {
            "hosts": sizes[0],
            "commands": {
                "deepsite validate": profiled(java, rest, jfr, ["validate", quickstart], folder, rounds),
                "deepsite plan": profiled(java, rest, jfr, ["plan", site.file], folder, rounds),
            },
        }


def text(result):
    tables = []
    for name, profile in result["commands"].items():
        counts = profile["samples"]
        whole = sum(counts.values())
        rows = [[title, f"{100 * count / whole:.0f} %"] for title, count in counts.items() if count / whole >= 0.01]
        tables.append(f"`{name}`, {whole} samples:\n\n" + measure.table(["what", "share"], rows))
    return "\n".join(tables)
