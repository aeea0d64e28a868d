"""One option in an ini file of someone else; every other byte of the file stays unchanged.

The grammar is oslo.config's: `[section]`, `name = value` or `name: value`, an indented line continues the value, `#` and `;`
start a comment line, an option may occur several times (MultiOpt). probe.sh reads by the same rules.
"""

import os
import re

from ansible.module_utils.deepsite import host as hosts
from ansible.module_utils.deepsite.host import ItemFailed
from ansible.module_utils.deepsite.kind import Kind

HEADER = re.compile(r"[ \t]*\[([^\]]*)\]")
OPTION = re.compile(r"([^=:]*)[=:]")


class Option:
    """One occurrence: the lines [start, end) of the file."""

    def __init__(self, section, name, start, value):
        self.section = section
        self.name = name
        self.start = start
        self.end = start + 1
        self.value = value


class IniText:
    """The text of an ini file as its lines, each with its line end."""

    def __init__(self, data):
        # latin-1 maps every byte to one character and back, whatever the file's encoding is. Only a newline ends a line
        # (splitlines would also cut at bytes that are parts of UTF-8 characters).
        self.lines = re.findall(r"[^\n]*\n|[^\n]+", data.decode("latin-1"))
        self.read()

    def data(self):
        return "".join(self.lines).encode("latin-1")

    def read(self):
        self.options = []
        self.headers = []
        section = ""
        inside = None
        for number, line in enumerate(self.lines):
            text = line.rstrip("\r\n")
            if not text.strip(" \t"):
                inside = None
            elif text[0] in " \t" and inside:
                inside.value += "\n" + text.strip(" \t")
                inside.end = number + 1
            elif HEADER.match(text):
                inside = None
                section = HEADER.match(text).group(1).strip(" \t")
                self.headers.append((section, number))
            elif text.lstrip(" \t")[0] in "#;":
                inside = None
            elif OPTION.match(text):
                found = OPTION.match(text)
                inside = Option(section, found.group(1).strip(" \t"), number, text[found.end():].strip(" \t"))
                self.options.append(inside)
            else:
                inside = None

    def find(self, section, name):
        return [option for option in self.options if option.section == section and option.name == name]

    def values(self, section, name):
        return [option.value for option in self.find(section, name)]

    def has_section(self, section):
        return section == "" or any(name == section for name, _ in self.headers)

    def set(self, section, name, values):
        """Gives the option exactly these values, in this order, at its current place or the best one in its section."""
        found = self.find(section, name)
        kept = min(len(found), len(values))
        ending = "\r\n" if any(line.endswith("\r\n") for line in self.lines) else "\n"
        added = ["%s = %s%s" % (name, value, ending) for value in values[kept:]]
        if added:
            if not found and not self.has_section(section):
                self.add_section(section, ending)
            place = self.past_indented(found[-1].end if found else self.place(section, name))
            self.end_line(place, ending)
            self.lines[place:place] = added
        for option, value in reversed(list(zip(found, list(values) + [None] * len(found)))):
            if value is None:
                del self.lines[option.start:option.end]
            elif value != option.value:
                first = self.lines[option.start]
                head = re.match(r"[^=:]*[=:][ \t]*", first).group(0)
                end = self.lines[option.end - 1][len(self.lines[option.end - 1].rstrip("\r\n")):]
                self.lines[option.start:option.end] = [head.rstrip("\r\n") + value + end]
        self.read()

    def place(self, section, name):
        """After the section's commented sample of the option, else after its last option, else after its header."""
        start, end = self.extent(section)
        sample = re.compile(r"[#;][ \t]*" + re.escape(name) + r"[ \t]*[=:]")
        samples = [number for number in range(start, end) if sample.match(self.lines[number])]
        if samples:
            return samples[-1] + 1
        last = [option.end for option in self.options if option.section == section and option.end <= end and option.start >= start]
        return last[-1] if last else start

    def past_indented(self, place):
        """An indented line below the new one would continue its value."""
        while place < len(self.lines) and self.lines[place][0] in " \t" and self.lines[place].strip():
            place += 1
        return place

    def extent(self, section):
        """The section's lines in its first occurrence, without the header."""
        starts = [-1] if section == "" else [number for name, number in self.headers if name == section]
        start = starts[0] + 1
        end = next((number for _, number in self.headers if number >= start), len(self.lines))
        return start, end

    def add_section(self, section, ending):
        self.end_line(len(self.lines), ending)
        if self.lines:
            self.lines.append(ending)
        self.lines.append("[%s]%s" % (section, ending))
        self.read()

    def drop_empty_section(self, section):
        """Undoes `add_section` unless the section has other content now."""
        for name, number in reversed(self.headers):
            start, end = number + 1, next((other for _, other in self.headers if other > number), len(self.lines))
            if name == section and not "".join(self.lines[start:end]).strip():
                blank = number > 0 and not self.lines[number - 1].strip()
                del self.lines[number - 1 if blank else number:start]
        self.read()

    def end_line(self, place, ending):
        """Adds a missing line end to the file's last line, so that the next line is not joined to it."""
        if place and not self.lines[place - 1].endswith("\n"):
            self.lines[place - 1] += ending


def as_latin(text):
    return str(text).encode("utf-8").decode("latin-1")


def as_text(latin):
    return latin.encode("latin-1").decode("utf-8", "replace")


class IniKind(Kind):
    def look(self, item):
        path = item["path"]
        if os.path.exists(path) and not os.path.isfile(path):
            raise ItemFailed(item["id"], "%s is not a regular file" % path)
        text = IniText(hosts.read_or_empty(path))
        return {
            "exists": os.path.isfile(path),
            "section": text.has_section(as_latin(item["section"])),
            "values": [as_text(value) for value in text.values(as_latin(item["section"]), as_latin(item["option"]))],
        }

    def wanted(self, item, seen, earlier):
        return {"values": wanted_values(item)}

    def remember(self, item, seen):
        return dict(seen)

    def apply(self, change, before):
        made = hosts.make_parents(change.item["path"])
        if made:
            before["parents"] = made
        self.set(change.item, change.wanted["values"])

    def set(self, item, values, drop_section=False, drop_file=False):
        path = item["path"]
        old = hosts.read_or_empty(path)
        text = IniText(old)
        text.set(as_latin(item["section"]), as_latin(item["option"]), [as_latin(value) for value in values])
        if drop_section:
            text.drop_empty_section(as_latin(item["section"]))
        if drop_file and not text.data().strip():
            os.unlink(path)
        elif text.data() != old:
            hosts.rewrite(path, text.data())

    def leave(self, item, before):
        path = item["path"]
        if not os.path.isfile(path):
            return None
        if self.look(item)["values"] == before["values"] and before["section"] and before["exists"]:
            return None
        self.set(item, before["values"], drop_section=not before["section"], drop_file=not before["exists"])
        hosts.remove_empty(before.get("parents", []))
        return "the values found first were put back" if before["values"] else "the option was removed"

    def diff(self, change):
        heading = "[%s]\n" % change.item["section"] if change.item["section"] else ""
        return tuple(heading + "".join("%s = %s\n" % (change.item["option"], value) for value in values)
                     for values in (change.seen["values"], change.wanted["values"]))


def wanted_values(item):
    if item.get("absent"):
        return []
    values = item["values"] if item.get("values") is not None else [item["value"]]
    texts = [scalar(value) for value in values]
    for text in texts:
        if "\n" in text or text != text.strip():
            raise ItemFailed(item["id"], "a value of an ini option is one line without blanks around it: %r" % text)
    return texts


def scalar(value):
    """As the engine writes it: a boolean of YAML is lower case."""
    return str(value).lower() if isinstance(value, bool) else str(value)
