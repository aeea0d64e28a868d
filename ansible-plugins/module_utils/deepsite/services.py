"""systemd units: services of the contract, and the restarts that changed items need."""

import time

from ansible.module_utils.deepsite.host import ItemFailed
from ansible.module_utils.deepsite.kind import Kind

PROPERTIES = ("LoadState", "UnitFileState", "ActiveState", "SubState", "NeedDaemonReload")
UNIT_FOLDERS = ("/etc/systemd/", "/usr/lib/systemd/", "/lib/systemd/", "/usr/local/lib/systemd/", "/etc/init.d/")
RUNNING = ("active", "reloading")
START_PATIENCE = 15
# A daemon without readiness notification counts as started at once; one with a broken configuration exits a moment later.
FIRST_LOOK = 1.0


def is_unit_file(item):
    return item["type"] in ("file", "link", "ini") and item["path"].startswith(UNIT_FOLDERS)


class Units:
    def __init__(self, host):
        self.host = host

    def show(self, item_id, units):
        answer = self.host.run(["systemctl", "show", "--no-pager"] + [word for name in PROPERTIES for word in ("-p", name)] + ["--"] + units)
        blocks = [dict(line.split("=", 1) for line in block.splitlines() if "=" in line) for block in answer.out.strip().split("\n\n")]
        if answer.rc != 0 or len(blocks) != len(units):
            raise ItemFailed(item_id, "systemctl show failed: " + answer.words())
        return [self.seen(block) for block in blocks]

    @staticmethod
    def seen(block):
        known = block["LoadState"] != "not-found"
        file_state = block.get("UnitFileState", "") if known else ""
        if file_state.startswith("enabled"):
            enabled = True
        elif not known or file_state.startswith(("disabled", "masked", "linked", "bad")):
            enabled = False
        else:
            enabled = None
        return {
            "known": known,
            "enabled": enabled,
            "active": block["ActiveState"] in RUNNING,
            "masked": file_state.startswith("masked"),
            "state": block["ActiveState"],
            "detail": block.get("SubState", ""),
            "stale": block.get("NeedDaemonReload") == "yes",
        }

    def daemon_reload(self):
        self.host.must(None, ["systemctl", "daemon-reload"])

    def order(self, item_id, verb, unit):
        answer = self.host.run(["systemctl", verb, "--", unit])
        if answer.rc != 0:
            raise ItemFailed(item_id, "systemctl %s %s failed: %s%s" % (verb, unit, answer.words(), self.journal(unit)))

    def journal(self, unit):
        said = self.host.run(["journalctl", "--no-pager", "--quiet", "--output=cat", "--lines=12", "--unit", unit]).out.strip()
        # A fault that a unit's own tool found is told as if a role's script had found it: as a line of its own.
        faults = [line for line in said.splitlines() if line.startswith("FAULT\t")]
        return "; its journal ends: " + " | ".join(said.splitlines()) + "".join("\n" + line for line in faults[-1:]) if said else ""

    def await_running(self, item_id, units):
        """Fails if a unit that was just started is not running."""
        if not units:
            return
        deadline = time.monotonic() + START_PATIENCE
        time.sleep(FIRST_LOOK)
        while True:
            seen = dict(zip(units, self.show(item_id, units)))
            # One that stops may still say why.
            waiting = [unit for unit in units if seen[unit]["state"] == "deactivating" or
                       (seen[unit]["state"] == "activating" and seen[unit]["detail"] != "auto-restart")]
            dead = [unit for unit in units if not seen[unit]["active"] and unit not in waiting]
            if dead or (waiting and time.monotonic() > deadline):
                unit = (dead or waiting)[0]
                raise ItemFailed(item_id or "service:" + unit, "%s does not stay up: it is %s (%s)%s" % (
                    unit, seen[unit]["state"], seen[unit]["detail"], self.journal(unit)))
            if not waiting:
                return
            time.sleep(0.5)

    def wake(self, pending, services):
        """Restarts and reloads pending units that run and should run; returns their names."""
        resting = {item["unit"] for item in services if not item.get("active", True)}
        units = [unit for unit in pending["restarts"] + pending["reloads"] if unit not in resting]
        if not units:
            return [], []
        seen = dict(zip(units, self.show(None, units)))
        running = [unit for unit in units if seen[unit]["active"] or seen[unit]["state"] == "activating"]
        restarts = [unit for unit in dict.fromkeys(running) if unit in pending["restarts"]]
        reloads = [unit for unit in dict.fromkeys(running) if unit not in pending["restarts"]]
        for unit in restarts:
            self.order("service:" + unit, "restart", unit)
        for unit in reloads:
            self.order("service:" + unit, "reload-or-restart", unit)
        self.await_running(None, restarts + reloads)
        return restarts, reloads


class ServiceKind(Kind):
    def __init__(self, host, originals):
        super().__init__(host, originals)
        self.units = Units(host)

    def look_all(self, items):
        return self.units.show(items[0]["id"], [item["unit"] for item in items])

    def look(self, item):
        return self.look_all([item])[0]

    def wanted(self, item, seen, earlier):
        wanted = {"active": bool(item.get("active", True))}
        # None: static, generated, an alias; such a unit can be neither enabled nor disabled.
        if seen["enabled"] is not None:
            wanted["enabled"] = bool(item.get("enabled", True))
        return wanted

    def remember(self, item, seen):
        return {name: seen[name] for name in ("known", "enabled", "active", "masked")}

    def apply_all(self, changes, befores):
        if any(change.seen["stale"] for change in changes):
            self.units.daemon_reload()
        started = []
        for change in changes:
            item, seen, wanted = change.item, change.seen, change.wanted
            if not seen["known"]:
                raise ItemFailed(item["id"], "systemd knows no unit %s: does a package of this contract install it?" % item["unit"])
            if seen["masked"] and (wanted["active"] or wanted.get("enabled")):
                self.units.order(item["id"], "unmask", item["unit"])
            if "enabled" in change.differing:
                self.units.order(item["id"], "enable" if wanted["enabled"] else "disable", item["unit"])
            if "active" in change.differing:
                if seen["state"] == "failed":
                    self.units.order(item["id"], "reset-failed", item["unit"])
                self.units.order(item["id"], "start" if wanted["active"] else "stop", item["unit"])
                if wanted["active"]:
                    started.append(item["unit"])
            change.applied = True
        self.units.await_running(None, started)

    def leave(self, item, before):
        seen = self.look(item)
        if not seen["known"]:
            return None
        done = []
        if seen["active"] != before["active"]:
            self.units.order(item["id"], "start" if before["active"] else "stop", item["unit"])
            done.append("started" if before["active"] else "stopped")
        enabled = before["enabled"] if before["known"] else False
        if seen["enabled"] is not None and enabled is not None and seen["enabled"] != enabled:
            self.units.order(item["id"], "enable" if enabled else "disable", item["unit"])
            done.append("enabled" if enabled else "disabled")
        if before["masked"] and not seen["masked"]:
            self.units.order(item["id"], "mask", item["unit"])
            done.append("masked")
        return " and ".join(done) + (", as it was found" if before["known"] else "") if done else None
