"""A run with nothing to change: deepsite beside ansible-playbook on the bundle that deepsite renders of the same site."""
import os
import tempfile

import lab
import measure
import startup

TITLE = "Nothing to change"
SIZES = [4, 9, 32]


def commands(site, bundle):
    run = {
        "deepsite apply": lambda: startup.unchanged(site.apply()),
        "ansible-playbook": lambda: measure.once(["ansible-playbook", "site.yml"], bundle),
    }
    found = measure.mitogen()
    if found:
        mitogen = {"ANSIBLE_STRATEGY_PLUGINS": found[0], "ANSIBLE_STRATEGY": "mitogen_linear"}
        run["ansible-playbook, mitogen"] = lambda: measure.once(["ansible-playbook", "site.yml"], bundle, mitogen)
    return run


def measured(rounds, sizes):
    rows = {}
    with lab.site("bench-no-op") as (site,):
        for hosts in sizes:
            site.to_hosts(hosts)
            with tempfile.TemporaryDirectory() as folder:
                bundle = os.path.join(folder, "bundle")
                site.deepsite("render", site.file, "--output", bundle)
                taken = measure.in_turn(commands(site, bundle), rounds)
            rows[str(hosts)] = {name: measure.times(runs) for name, runs in taken.items()}
    return {"hosts": rows}


def growth(result, name):
    """Milliseconds of CPU for each host more, from the fewest hosts to the most; nothing for one size."""
    sizes = sorted(int(hosts) for hosts in result["hosts"])
    few, many = sizes[0], sizes[-1]
    cpu = [measure.median(result["hosts"][str(hosts)][name], "cpu") for hosts in (few, many)]
    return (cpu[1] - cpu[0]) / (many - few) * 1000 if few < many else None


def text(result):
    rows = []
    for hosts, commands_of in result["hosts"].items():
        own = measure.median(commands_of["deepsite apply"], "cpu")
        for name, row in commands_of.items():
            cpu = measure.median(row, "cpu")
            rows.append([
                hosts, name, f"{cpu:.2f}", f"{measure.median(row, 'machine'):.1f}", f"{measure.median(row, 'wall'):.2f}",
                f"{cpu / own:.0f} ×" if name != "deepsite apply" else "",
            ])
    lines = [measure.table(["hosts", "", "CPU s", "with the hosts", "wall s", "CPU beside deepsite"], rows)]
    for name in next(iter(result["hosts"].values())):
        more = growth(result, name)
        if more is not None:
            lines.append(f"- {name}: {more:.0f} ms of CPU for each host more\n")
    if not any("mitogen" in name for name in next(iter(result["hosts"].values()))):
        lines.append("- mitogen was not installed, so there is no row of it.\n")
    return lines[0] + "\n" + "".join(lines[1:])
