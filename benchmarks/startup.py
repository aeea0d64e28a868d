"""Start-up: deepsite's commands beside those of its peers, and the classes that each loads."""
import os
import shutil
import tempfile

import lab
import measure

TITLE = "Start-up"
SIZES = [4]
ALONE = 7
INVENTORY = "all: {children: {head: {hosts: {head: {}}}, node: {hosts: {node-1: {}, node-2: {}}}}}\n"
# What each command is compared with.
PEERS = {
    "deepsite --version": "ansible --version",
    "deepsite help": "ansible --version",
    "deepsite validate": "ansible-inventory --list",
    "deepsite status": "ansible-inventory --list",
    "deepsite plan": "ansible-inventory --list",
}


def classes(command, folder, mode):
    """How many classes the JVM loads: with its AOT cache (auto) all of that at the start, without (off) what the command uses."""
    log = os.path.join(folder, "classes.txt")
    measure.once(command, folder, {"DEEPSITE_JAVA_OPTIONS": f"-XX:AOTMode={mode} -Xlog:class+load:file={log}"})
    with open(log, encoding="utf-8") as lines:
        return sum(" source: " in line for line in lines)


def unchanged(run):
    if "Nothing to change" not in run.said:
        raise measure.Failed(f"the site differs from site.yaml:\n{run.said}")
    return run


def commands(folder, site):
    quickstart = os.path.join(folder, "site.yaml")
    inventory = os.path.join(folder, "inventory.yml")
    shutil.copy(os.path.join(measure.ROOT, "site-examples", "quickstart", "site.yaml"), quickstart)
    with open(inventory, "w", encoding="utf-8") as file:
        file.write(INVENTORY)
    all_of_them = {
        "ansible --version": ["ansible", "--version"],
        "ansible-inventory --list": ["ansible-inventory", "-i", inventory, "--list"],
        "kubectl version --client": ["kubectl", "version", "--client"],
        "openstack --version": ["openstack", "--version"],
        "deepsite --version": [measure.DEEPSITE, "--version"],
        "deepsite help": [measure.DEEPSITE, "help"],
        "deepsite validate": [measure.DEEPSITE, "validate", quickstart],
        "deepsite status": [measure.DEEPSITE, "status", site],
        "deepsite plan": [measure.DEEPSITE, "plan", site],
    }
    return {name: command for name, command in all_of_them.items() if shutil.which(command[0])}


def measured(rounds, sizes):
    with lab.site("bench-startup") as (site,), tempfile.TemporaryDirectory() as folder:
        site.to_hosts(sizes[0])
        run = commands(folder, site.file)

        def timed(name):
            result = measure.once(run[name], folder)
            return unchanged(result) if name == "deepsite plan" else result

        taken = measure.in_turn({name: lambda name=name: timed(name) for name in run}, rounds)
        rows = {name: measure.times(runs) for name, runs in taken.items()}
        for name, command in run.items():
            if command[0] == measure.DEEPSITE:
                rows[name].update(classes=classes(command, folder, "auto"), classesUsed=classes(command, folder, "off"))
    return {"hosts": sizes[0], "commands": rows}


def beside(result, name):
    """CPU of a command by that of its peer; nothing without the peer."""
    rows = result["commands"]
    peer = rows.get(PEERS.get(name))
    return measure.median(rows[name], "cpu") / measure.median(peer, "cpu") if peer else None


def text(result):
    rows = []
    for name, row in result["commands"].items():
        ratio = beside(result, name)
        rows.append([
            f"`{name}`", f"{measure.median(row, 'cpu'):.3f}", f"{measure.median(row, 'wall'):.3f}", f"{measure.median(row, 'memory'):.0f}",
            row.get("classes", ""), row.get("classesUsed", ""), f"{ratio:.2f} of `{PEERS[name]}`" if ratio else "",
        ])
    return measure.table(["", "CPU s", "wall s", "MiB", "classes loaded", "classes used", "CPU beside"], rows)
