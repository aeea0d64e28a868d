"""Runs commands, one after another, and keeps what each took. Shared by the parts of benchmarks/run."""
import collections
import datetime
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DEEPSITE = os.path.join(ROOT, "dist", "target", "deepsite", "bin", "deepsite")

# Seconds of CPU (user and system, with children) and of wall time; CPU of the whole machine, containers included; MiB of the
# largest process.
Run = collections.namedtuple("Run", "cpu wall machine memory said")


class Failed(Exception):
    """A command that ended with a failure, or said something unexpected."""


def busy():
    """Seconds that the processors of this machine worked since its start."""
    with open("/proc/stat", encoding="utf-8") as lines:
        user, nice, system, _, _, interrupts, soft = (int(word) for word in lines.readline().split()[1:8])
    return (user + nice + system + interrupts + soft) / os.sysconf("SC_CLK_TCK")


def once(command, folder=None, environment=None):
    worked = busy()
    begin = time.monotonic()
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            command, cwd=folder, env={**os.environ, **(environment or {})}, stdout=said, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        wall = time.monotonic() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read().decode(errors="replace")
    if process.returncode != 0:
        raise Failed(f"{' '.join(command)} ended with {process.returncode}:\n{text[-4000:]}")
    return Run(used.ru_utime + used.ru_stime, wall, busy() - worked, used.ru_maxrss // 1024, text)


def in_turn(commands, rounds, warm=True):
    """Runs all commands in each round, so that other load on the machine affects all of them.

    commands: functions that return a Run, by name. warm: with a first round that does not count, and reads files that the others find
    in memory. Returns the runs of each.
    """
    taken = {name: [] for name in commands}
    for turn in range(-1 if warm else 0, rounds):
        for name, command in commands.items():
            run = command()
            if turn >= 0:
                taken[name].append(run)
                say(f"  {turn + 1}/{rounds} {name}: CPU {run.cpu:.2f} s, wall {run.wall:.2f} s")
    return taken


def times(runs):
    """Every single time, as the page's raw numbers have them."""
    return {
        "cpu": [round(run.cpu, 3) for run in runs],
        "wall": [round(run.wall, 3) for run in runs],
        "machine": [round(run.machine, 2) for run in runs],
        "memory": [run.memory for run in runs],
    }


def median(row, what):
    return statistics.median(row[what])


def say(text):
    print(text, file=sys.stderr, flush=True)


def table(head, rows):
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines) + "\n"


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def output(*command):
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def version(*command):
    """The first line that a command says of its version, or that it is not installed."""
    if shutil.which(command[0]) is None:
        return "not installed"
    ran = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    said = (ran.stdout + ran.stderr).strip()
    return said.splitlines()[0] if said else f"ends with {ran.returncode}"


def mitogen():
    """The folder of its strategy plugins and its version, for the Python that runs ansible-playbook; nothing if it is not installed."""
    playbook = shutil.which("ansible-playbook")
    if playbook is None:
        return None
    with open(playbook, encoding="utf-8", errors="replace") as file:
        python = file.readline()[2:].split()
    script = "import os, ansible_mitogen, mitogen; print(os.path.dirname(ansible_mitogen.__file__), '.'.join(map(str, mitogen.__version__)))"
    found = subprocess.run([*python, "-c", script], capture_output=True, text=True, check=False)
    if found.returncode != 0:
        return None
    folder, number = found.stdout.split()
    return os.path.join(folder, "plugins", "strategy"), number


def versions():
    found = mitogen()
    return {
        "deepsite": version(os.path.join(ROOT, "deepsite"), "version"),
        "java": version(os.path.join(output(os.path.join(ROOT, "dist", "find-jdk")), "bin", "java"), "--version"),
        "ansible": version("ansible", "--version"),
        "mitogen": found[1] if found else "not installed",
        "kubectl": version("kubectl", "version", "--client"),
        "openstack": version("openstack", "--version"),
        "lxd": version("lxc", "--version"),
        "python": platform.python_version(),
    }


def machine():
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        processor = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())
    return {
        "processor": processor,
        "processors": os.cpu_count(),
        "memoryGiB": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30),
        "linux": platform.release(),
    }


def commit():
    changed = output("git", "status", "--porcelain", "--", ".", ":!docs/reference/performance.*")
    return output("git", "rev-parse", "--short=10", "HEAD") + (" with changes" if changed else "")


def load():
    return [round(one, 1) for one in os.getloadavg()]


def now():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M")
