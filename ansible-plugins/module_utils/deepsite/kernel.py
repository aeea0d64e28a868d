"""Kernel arguments, modules and sysctls. A container shares its host's kernel: there they are only checked."""

import os
import re

from ansible.module_utils.deepsite import host as hosts
from ansible.module_utils.deepsite.host import ItemFailed
from ansible.module_utils.deepsite.kind import Kind

GRUB_FOLDER = "/etc/default/grub.d"


def slug(name):
    return re.sub(r"[^A-Za-z0-9_.-]", "_", name)


class KernelKind(Kind):
    def __init__(self, host, originals):
        super().__init__(host, originals)
        self.reboot_needed = False
        self.contained = None

    def in_container(self):
        if self.contained is None:
            self.contained = self.host.container()
        return self.contained

    def sort(self, item):
        sorts = {"argument": Argument, "module": Module, "sysctl": Sysctl}
        if item["what"] not in sorts:
            raise ItemFailed(item["id"], "a kernel item is an argument, a module or a sysctl, not %s" % item["what"])
        return sorts[item["what"]](self.host, item)

    def look(self, item):
        return self.sort(item).look()

    def wanted(self, item, seen, earlier):
        sort = self.sort(item)
        wanted = sort.wanted(seen)
        if self.in_container() and not sort.can_try_in_container():
            wanted.pop("configured", None)
            if item["what"] == "argument":
                wanted = {"present": True}
        return wanted

    def remember(self, item, seen):
        return dict(seen)

    def apply_all(self, changes, befores):
        try:
            super().apply_all(changes, befores)
        finally:
            self.update_grub([change.item for change in changes if change.applied])

    def leave_all(self, items, befores):
        said = super().leave_all(items, befores)
        self.update_grub([item for item in items if item["id"] in said])
        return said

    def update_grub(self, items):
        """Runs once for all arguments: update-grub searches every disk for kernels and systems."""
        arguments = [item for item in items if item["what"] == "argument"]
        if arguments:
            self.host.must(arguments[0]["id"], ["update-grub"])
            for item in arguments:
                self.sort(item).settle()

    def apply(self, change, before):
        sort = self.sort(change.item)
        if self.in_container() and not sort.can_try_in_container():
            raise ItemFailed(change.item["id"], "a container cannot set this itself; on its host: " + sort.command())
        sort.apply()
        if change.item["what"] == "argument" and not change.seen["present"]:
            self.reboot_needed = True
            change.notes.append("takes effect after a reboot")

    def leave(self, item, before):
        sort = self.sort(item)
        if not os.path.exists(sort.drop_in()) or before.get("configured"):
            return None
        return sort.leave(before)


class Sort:
    """One of the three. `look` answers in the format of the probe script."""

    def __init__(self, host, item):
        self.host = host
        self.item = item
        self.name = str(item["name"])
        self.value = None if item.get("value") is None else str(item["value"])

    def can_try_in_container(self):
        return False

    def configured(self):
        return self.line().encode() in hosts.read_or_empty(self.drop_in()).split(b"\n")

    def write_drop_in(self):
        self.write(self.line())

    def write(self, line):
        hosts.make_parents(self.drop_in())
        hosts.write(self.drop_in(), (line + "\n").encode(), 0, 0, 0o644)

    def drop_in(self):
        raise NotImplementedError

    def line(self):
        raise NotImplementedError


class Argument(Sort):
    """A marker in a drop-in shows that update-grub has not yet processed it: a killed update-grub must not count as done."""

    DUE = " # update-grub is due"
    GONE = "# gone;" + DUE

    def argument(self):
        return self.name + ("=" + self.value if self.value is not None else "")

    def drop_in(self):
        return "%s/60-deepsite-%s.cfg" % (GRUB_FOLDER, slug(self.name))

    def line(self):
        return 'GRUB_CMDLINE_LINUX="$GRUB_CMDLINE_LINUX %s"' % self.argument()

    def look(self):
        return {"present": self.argument().encode() in hosts.read("/proc/cmdline").split(), "configured": self.configured()}

    def wanted(self, seen):
        # Someone else may have configured it: an argument that the kernel runs with holds.
        return {} if seen["present"] else {"configured": True}

    def command(self):
        return "add %s to GRUB_CMDLINE_LINUX, update-grub, reboot" % self.argument()

    def apply(self):
        if re.search(r'["$`\\\s]', self.argument()):
            raise ItemFailed(self.item["id"], "a kernel argument must not contain a blank, quote, dollar or backslash: %s" % self.argument())
        if self.host.run(["update-grub", "--version"]).rc == 127:
            raise ItemFailed(self.item["id"], "no GRUB on this host: put %s on the kernel's command line by hand" % self.argument())
        self.write(self.line() + self.DUE)

    def leave(self, before):
        self.write(self.GONE)
        return "removed; gone after the next reboot"

    def settle(self):
        if hosts.read(self.drop_in()).startswith(self.GONE.encode()):
            os.unlink(self.drop_in())
        else:
            self.write_drop_in()


class Module(Sort):
    def drop_in(self):
        return "/etc/modules-load.d/60-deepsite-%s.conf" % slug(self.name)

    def line(self):
        return self.name

    def look(self):
        plain = self.name.replace("-", "_")
        built_in = hosts.read_or_empty("/lib/modules/%s/modules.builtin" % os.uname().release).decode()
        present = os.path.isdir("/sys/module/" + plain) or re.search(r"/%s\.ko" % re.escape(plain), built_in.replace("-", "_")) is not None
        return {"present": present, "configured": self.configured()}

    def wanted(self, seen):
        return {"present": True, "configured": True}

    def command(self):
        return "modprobe %s" % self.name

    def apply(self):
        self.write_drop_in()
        self.host.must(self.item["id"], ["modprobe", "--", self.name])

    def leave(self, before):
        os.unlink(self.drop_in())
        return "no longer loaded at boot"


class Sysctl(Sort):
    def drop_in(self):
        return "/etc/sysctl.d/60-deepsite-%s.conf" % slug(self.name)

    def line(self):
        return "%s = %s" % (self.name, self.value)

    def path(self):
        return "/proc/sys/" + self.name.replace(".", "/")

    def can_try_in_container(self):
        return self.name.startswith("net.")

    def look(self):
        value = None
        if os.path.isfile(self.path()):
            value = re.sub(r"\t+", " ", hosts.read(self.path()).decode().strip())
        return {"present": value is not None, "value": value, "configured": self.configured()}

    def wanted(self, seen):
        return {"value": self.value, "configured": True}

    def command(self):
        return "sysctl -w %s=%s" % (self.name, self.value)

    def apply(self):
        self.set(self.value)
        self.write_drop_in()

    def set(self, value):
        try:
            with open(self.path(), "w", encoding="utf-8") as stream:
                stream.write(value)
        except OSError as fault:
            raise ItemFailed(self.item["id"], "%s cannot be set: %s; on the machine whose kernel it is: %s" % (
                self.name, fault.strerror, self.command())) from fault

    def leave(self, before):
        os.unlink(self.drop_in())
        if before.get("value") is not None:
            self.set(before["value"])
        return "the value found first was put back"
