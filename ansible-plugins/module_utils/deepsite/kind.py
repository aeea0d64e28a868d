"""What an item type is to the runner."""

from ansible.module_utils.deepsite.host import ItemFailed


class Change:
    """One item that does not hold: what was seen, what is wanted."""

    def __init__(self, item, seen, wanted):
        self.item = item
        self.seen = seen
        self.wanted = wanted
        self.differing = [name for name in wanted if seen.get(name) != wanted[name]]
        self.notes = []
        self.applied = False


class Kind:
    """An item type. `seen` and `wanted` are maps; an item holds when `seen` has all of `wanted`.

    `before` is what was there the first time, as JSON goes into the host's record, and all that leaving may use.
    """

    def __init__(self, host, originals):
        self.host = host
        self.originals = originals

    def look_all(self, items):
        """What is seen of each item, in order."""
        return [self.look(item) for item in items]

    def look(self, item):
        raise NotImplementedError

    def wanted(self, item, seen, earlier):
        """What the item asks. `earlier` is the item as it was applied the last time, with what was there the first time as `before`; or None."""
        raise NotImplementedError

    def remember(self, item, seen):
        """What leaving needs to know, taken before the first change."""
        raise NotImplementedError

    def remember_more(self, item, seen, earlier, before):
        """Adds to `before` what the item did not ask about until now."""

    def apply_all(self, changes, befores):
        """`befores` are the `before` maps of the same items; what is made besides the item itself is added to them."""
        for change, before in zip(changes, befores):
            try:
                self.apply(change, before)
            except OSError as fault:
                raise ItemFailed(change.item["id"], str(fault)) from fault
            change.applied = True

    def apply(self, change, before):
        raise NotImplementedError

    def leave_all(self, items, befores):
        """Puts back what was found; the result says, by id, what was done where something was to be done."""
        said = {}
        for item, before in zip(items, befores):
            try:
                done = self.leave(item, before)
            except OSError as fault:
                raise ItemFailed(item["id"], str(fault)) from fault
            if done:
                said[item["id"]] = done
        return said

    def leave(self, item, before):
        raise NotImplementedError

    def diff(self, change):
        """Text before and after for --diff, or None where the fields say it all."""
        return None
