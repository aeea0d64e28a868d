"""Makes `ansible.module_utils.deepsite` importable, and replaces a host's commands."""

import os

import ansible.module_utils
import ansible.plugins.loader
import ansible.template
from ansible.parsing.dataloader import DataLoader

HERE = os.path.dirname(os.path.abspath(__file__))
PLUGINS = os.path.dirname(HERE)
REPOSITORY = os.path.dirname(PLUGINS)
# Ansible 2.14 finds lookups without being told.
getattr(ansible.plugins.loader, "init_plugin_loader", list)()
ansible.module_utils.__path__.append(os.path.join(PLUGINS, "module_utils"))

from ansible.module_utils.deepsite.host import Answer, Host  # noqa: E402 (needs the path above)

OWNER = str(os.getuid())
GROUP = str(os.getgid())


def value_of(template, variables):
    """What Ansible makes of a text of our tasks."""
    # Since 2.19 it leaves texts of unknown origin as they are.
    trusted = getattr(ansible.template, "trust_as_template", str)
    return ansible.template.Templar(DataLoader(), variables=variables).template(trusted(template))


class FakeMachine(Host):
    """A host whose dpkg, apt and systemd are maps. `calls` are the commands that change something, in order."""

    def __init__(self, bodies=None, check=False):
        super().__init__(bodies, check)
        self.calls = []
        self.installed = {}
        self.held = set()
        self.available = {}
        self.after_update = {}
        self.needs = {}
        self.units = {}
        self.answers = {}
        self.unfinished = ""

    def run(self, argv, env=None, timeout=None):
        handler = getattr(self, "_" + argv[0].replace("-", "_"), None)
        if tuple(argv) in self.answers:
            return self.answers[tuple(argv)]
        if handler is None:
            return Answer(127, "", argv[0] + ": not on this machine")
        return handler([word for word in argv[1:] if word != "--"])

    def _dpkg_query(self, words):
        lines = ["%s\tamd64\t%s \t%s" % (name, ("h" if name in self.held else "i") + "i", self.installed[name])
                 for name in words[3:] if name in self.installed]
        return Answer(0, "\n".join(lines), "")

    def _apt_cache(self, words):
        return Answer(0, "".join("%s:\n  Installed: (none)\n  Candidate: %s\n  Version table:\n" % (name, self.available[name])
                                 for name in words[1:] if name in self.available), "")

    def _apt_mark(self, words):
        self.calls.append("apt-mark " + " ".join(words))
        (self.held.update if words[0] == "hold" else self.held.difference_update)(words[1:])
        return Answer(0, "", "")

    def _dpkg(self, words):
        if words == ["--audit"]:
            return Answer(0, self.unfinished, "")
        self.calls.append("dpkg " + " ".join(words))
        self.unfinished = ""
        return Answer(0, "", "")

    def _systemctl(self, words):
        if words[0] == "show":
            names = [word for number, word in enumerate(words[1:], 1) if not word.startswith("-") and words[number - 1] != "-p"]
            return Answer(0, "\n\n".join(self.shown(name) for name in names), "")
        self.calls.append("systemctl " + " ".join(words))
        unit = self.units.get(words[-1])
        if unit is not None:
            unit.update({"start": {"ActiveState": "active"}, "restart": {"ActiveState": "active"}, "stop": {"ActiveState": "inactive"},
                         "enable": {"UnitFileState": "enabled"}, "disable": {"UnitFileState": "disabled"}}.get(words[0], {}))
        return Answer(0, "", "")

    def shown(self, name):
        unit = dict({"LoadState": "loaded", "UnitFileState": "enabled", "ActiveState": "active", "SubState": "running"},
                    **self.units[name]) if name in self.units else {"LoadState": "not-found", "UnitFileState": "", "ActiveState": "inactive"}
        return "\n".join("%s=%s" % pair for pair in unit.items())


class AptMachine(FakeMachine):
    """Adds an apt that installs with dependencies (`needs`) and removes with dependants."""

    def _apt_get(self, words):
        options = {word for word in words if word.startswith("-")}
        words = [word for word in words if not word.startswith("-") and "::" not in word]
        command, names = words[0], words[1:]
        if command == "update":
            self.calls.append("apt-get update")
            self.available.update(self.after_update)
            return Answer(0, "", "")
        come = {name for name in names if command == "install" and not name.endswith("-")}
        go = {name.rstrip("-") for name in names if command == "remove" or name.endswith("-")}
        come |= {needed for name in come for needed in self.needs.get(name, [])}
        come -= set(self.installed)
        go |= {name for name in self.installed if go & set(self.needs.get(name, []))}
        if command == "autoremove":
            needed = {each for name in self.installed for each in self.needs.get(name, [])}
            go = {name for name in self.installed if name.startswith("lib") and name not in needed}
        if "--simulate" not in options:
            self.calls.append("apt-get %s %s" % (command, " ".join(names)))
            for name in come:
                self.installed[name] = self.available.get(name, "1")
            for name in go:
                self.installed.pop(name, None)
        out = "".join("Inst %s (1 Debian)\n" % name for name in sorted(come)) + "".join("Remv %s [1]\n" % name for name in sorted(go))
        return Answer(0, out, "")
