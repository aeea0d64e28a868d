"""Plans of a growing site that does not exist yet, beside inventories of as many hosts."""
import json
import os
import tempfile

import lab
import measure

TITLE = "Plans of large sites"
SIZES = [100, 400, 1000, 4000, 10000]
MANY = 4000
ROUNDS_OF_MANY = 3
SITE = os.path.join(measure.ROOT, "benchmarks", "scale.yaml")
NETWORK = "scalebr0"
ADDRESS = "10.99.0.1/18"


def inventory(nodes, path):
    """A head and nodes with the variables that deepsite would have of them; JSON is YAML that Ansible reads faster."""
    hosts = {f"node-{one}": {"ansible_host": f"10.99.{one // 250}.{one % 250 + 2}", "cpus": 1, "memory": "1GiB"} for one in range(1, nodes + 1)}
    groups = {"head": {"hosts": {"head": {"ansible_host": "10.99.63.1"}}}, "node": {"hosts": hosts}}
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"all": {"children": groups}}, file)


def measured(rounds, sizes):
    rows = {str(nodes): {"deepsite plan": [], "ansible-inventory --list": []} for nodes in sizes}
    saved = {}
    with lab.network(NETWORK, ADDRESS), tempfile.TemporaryDirectory() as folder:
        for nodes in sizes:
            inventory(nodes, os.path.join(folder, f"{nodes}.json"))
        for turn in range(rounds):
            for nodes in sizes:
                if nodes >= MANY and turn >= ROUNDS_OF_MANY:
                    continue
                plan = os.path.join(folder, "plan.json")
                run = measure.once([measure.DEEPSITE, "plan", SITE, "--set", f"nodes={nodes}", "--out", plan])
                rows[str(nodes)]["deepsite plan"].append(run)
                saved[str(nodes)] = {"bytes": os.path.getsize(plan), "screenLines": run.said.count("\n")}
                os.remove(plan)
                peer = measure.once(["ansible-inventory", "-i", os.path.join(folder, f"{nodes}.json"), "--list"])
                rows[str(nodes)]["ansible-inventory --list"].append(peer)
                measure.say(f"  {turn + 1}/{rounds} {nodes} nodes: CPU {run.cpu:.2f} s, ansible-inventory {peer.cpu:.2f} s")
    return {
        "nodes": {
            nodes: {**{name: measure.times(runs) for name, runs in commands.items()}, "saved": saved[nodes]}
            for nodes, commands in rows.items()
        }
    }


def cpu(result, nodes):
    row = result["nodes"].get(str(nodes))
    return row and measure.median(row["deepsite plan"], "cpu")


def text(result):
    first = next(iter(result["nodes"]))
    rows = []
    for nodes, row in result["nodes"].items():
        plan, peer = row["deepsite plan"], row["ansible-inventory --list"]
        rows.append([
            nodes, len(plan["cpu"]), f"{measure.median(plan, 'cpu'):.2f}", f"{measure.median(plan, 'wall'):.2f}",
            f"{measure.median(plan, 'cpu') / cpu(result, first):.1f} ×", f"{measure.median(plan, 'memory'):.0f}",
            f"{row['saved']['bytes'] / 1e6:.1f}", row["saved"]["screenLines"],
            f"{measure.median(peer, 'cpu'):.2f}", f"{measure.median(peer, 'memory'):.0f}",
        ])
    return measure.table(
        ["nodes", "rounds", "CPU s", "wall s", "CPU growth", "MiB", "saved plan MB", "lines shown", "`ansible-inventory` CPU s", "its MiB"], rows)
