"""The interface of an item type for the runner."""

from ansible.module_utils.deepsite.host import ItemFailed


class Change:
    """An item that does not hold: its actual and its desired state."""

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
        """The actual state of each item, in order."""
        return [self.look(item) for item in items]

    def look(self, item):
        raise NotImplementedError

    def wanted(self, item, seen, earlier):
        """The desired state. `earlier` is the item as last applied, with its original state as `before`; or None."""
        raise NotImplementedError

    def remember(self, item, seen):
        """What leaving needs, recorded before the first change."""
        raise NotImplementedError

    def remember_more(self, item, seen, earlier, before):
        """Adds to `before` what the item did not cover until now."""

    def apply_all(self, changes, befores):
        """`befores` are the `before` maps of the same items; things created besides an item are added to them."""
        for change, before in zip(changes, befores):
            try:
                self.apply(change, before)
            except OSError as fault:
                raise ItemFailed(change.item["id"], str(fault)) from fault
            change.applied = True

    def apply(self, change, before):
        raise NotImplementedError

    def leave_all(self, items, befores):
        """Restores the original state; returns, by id, what was done for items that needed it."""
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
        """Text before and after for --diff, or None if the fields are enough."""
        return None
