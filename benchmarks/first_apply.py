"""The first apply of the quickstart's site, and of more nodes: plain, from baked images, and bare machines with nothing on them."""
import json
import os
import sys

import lab
import measure

TITLE = "First apply"
SIZES = [22]
MOST_ROUNDS = 3
NODES = 2
PLAIN = "bench-plain"
BAKED = "bench-baked"
FLOOR = "bench-floor"
FIRST = "quickstart"
MORE = "more nodes"


def request(seen, name):
    """The request that makes a machine like one that deepsite made, without deepsite's marks and without shared volumes."""
    kept = {
        key: value
        for key, value in seen["config"].items()
        if not key.startswith(("volatile.", "image.", "user.deepsite.")) or key == "user.deepsite.hostname"
    }
    return {
        "name": name,
        "type": seen["type"],
        "profiles": seen["profiles"],
        "config": kept,
        "devices": {key: device for key, device in seen["devices"].items() if "source" not in device},
        "source": {"type": "image", "fingerprint": seen["config"]["volatile.base_image"]},
    }


def requests(site):
    """Of all machines of a site, by their name in the site."""
    prefix = site.name + "-"
    return {
        seen["name"].removeprefix(prefix): request(seen, seen["name"].replace(site.name, FLOOR, 1))
        for seen in lab.listed("list", "--project", site.project)
    }


def bare(project, folder, machines):
    file = os.path.join(folder, "machines.json")
    with open(file, "w", encoding="utf-8") as stream:
        json.dump(machines, stream)
    return measure.once([sys.executable, os.path.join(measure.ROOT, "benchmarks", "machines.py"), project, file])


def life(site, more):
    """Applies a site, scales it, destroys it. Returns both runs, and the machines before and after as requests."""
    try:
        first = site.apply()
        few = requests(site)
        second = site.scale(NODES + more)
        return first, second, few, requests(site)
    finally:
        site.destroy()


def bare_life(site, few, all_of_them):
    """The same with machines only."""
    folder = os.path.dirname(site.file)
    try:
        first = bare(site.project, folder, list(few.values()))
        return first, bare(site.project, folder, [machine for name, machine in all_of_them.items() if name not in few])
    finally:
        lab.empty(site.project)


def measured(rounds, sizes):
    more = sizes[0]
    names = ("plain", "baked", "bare machines")
    taken = {what: {name: [] for name in names} for what in (FIRST, MORE)}
    failed = {name: [] for name in names}
    with lab.site(PLAIN, BAKED, FLOOR) as (plain, baked, floor):
        measure.say("  bakes images")
        bake = baked.deepsite("image", "bake", baked.file)
        made = {}

        def live(name):
            if name == "bare machines":
                if "plain" not in made:
                    raise measure.Failed("there were no machines to make again")
                return bare_life(floor, *made["plain"])
            *runs, few, all_of_them = life(plain if name == "plain" else baked, more)
            made[name] = few, all_of_them
            return runs

        for _ in range(min(rounds, MOST_ROUNDS)):
            for name in names:
                try:
                    first, second = live(name)
                except measure.Failed as why:
                    # One failure of a back-end must not cost the other rounds; the page says how many failed.
                    measure.say(f"  {name} failed: {why}")
                    failed[name].append(str(why))
                    continue
                taken[FIRST][name].append(first)
                taken[MORE][name].append(second)
                measure.say(f"  {name}: {first.wall:.1f} s, {more} nodes more {second.wall:.1f} s")
    if not all(taken[FIRST].values()):
        raise measure.Failed("no round succeeded of one of: " + ", ".join(names))
    return {
        "more": more,
        "bake": measure.times([bake]),
        "failed": failed,
        "sites": {what: {name: measure.times(runs) for name, runs in row.items()} for what, row in taken.items()},
    }


def wall(result, what, name):
    return measure.median(result["sites"][what][name], "wall")


def text(result):
    rows = []
    for what, commands in result["sites"].items():
        title = what if what == FIRST else f"{result['more']} nodes more"
        for name, row in commands.items():
            rows.append([
                title, name, len(row["wall"]), f"{measure.median(row, 'wall'):.1f}",
                f"{measure.median(row, 'cpu'):.1f}", f"{measure.median(row, 'machine'):.0f}",
            ])
    lost = "".join(f" {len(why)} of the rounds of *{name}* failed and are not counted." for name, why in result["failed"].items() if why)
    return measure.table(["", "", "rounds", "wall s", "CPU s of the command", "CPU s of the machine"], rows) + (
        f"\nBaking the images of both groups took {measure.median(result['bake'], 'wall'):.0f} s, once.{lost}\n")
