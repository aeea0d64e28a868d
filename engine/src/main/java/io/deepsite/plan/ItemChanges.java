package io.deepsite.plan;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import io.deepsite.contract.Contents;
import io.deepsite.contract.Item;
import io.deepsite.contract.Marker;
import io.deepsite.contract.Seen;
import io.deepsite.diag.PlainText;
import java.util.List;
import java.util.Optional;

/** Compares the items of one contract with what a host holds. */
final class ItemChanges {
    private static final int CONTEXT = 3;

    private final Contents contents;
    private final UnknownResolver resolver;

    ItemChanges(Contents contents, UnknownResolver resolver) {
        this.contents = contents;
        this.resolver = resolver;
    }

    /** The change of one item, without a diff; empty if the item is satisfied. */
    Optional<ItemChange> of(Item item, Seen seen) {
        var differences = resolver.close(item, contents).differences(seen);
        if (differences.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                change(item, seen) == Change.CREATE
                        ? fresh(item)
                        : new ItemChange(item.id(), change(item, seen), shown(item, differences), Optional.empty()));
    }

    /** The change of a file whose content on the host is, or was when applied, secret: neither shown nor hashed. */
    static ItemChange masked(ItemChange change) {
        return new ItemChange(
                change.id(),
                change.change(),
                change.differences().stream()
                        .map(difference -> difference.field().equals("sha256")
                                ? new Item.Difference("content", "***", "without a secret")
                                : difference)
                        .toList(),
                Optional.empty());
    }

    /** Drift of an item against its recorded form (see {@link UnknownResolver#recorded}). */
    Optional<ItemChange> ofRecorded(Item item, Seen seen) {
        var differences = item.differences(resolver.keyed(item, seen));
        return differences.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new ItemChange(item.id(), change(item, seen), shown(item, differences), Optional.empty()));
    }

    /** An item that does not exist yet, or whose machine does not. */
    ItemChange fresh(Item item) {
        return new ItemChange(
                item.id(),
                Change.CREATE,
                List.of(),
                item instanceof Item.File file ? diff(file, "") : Optional.empty());
    }

    /** Adds the diff from the text on the host. */
    ItemChange withDiff(ItemChange change, Item.File file, String before) {
        return new ItemChange(change.id(), change.change(), change.differences(), diff(file, before));
    }

    private static Change change(Item item, Seen seen) {
        boolean there = switch (item) {
            case Item.DebianPackage _ -> seen.flag("installed");
            case Item.Service _, Item.Probe _, Item.Kernel _ -> true;
            case Item.Repository _ -> !seen.text("sha256").isEmpty();
            case Item.Ini _, Item.Line _ -> seen.flag("present");
            case Item.Mount _ -> seen.flag("mounted");
            case Item.Group _, Item.User _, Item.Directory _, Item.Link _, Item.File _ -> seen.flag("exists");
        };
        boolean goes = item instanceof Item.DebianPackage wanted && !wanted.present();
        return goes ? Change.DELETE : there ? Change.UPDATE : Change.CREATE;
    }

    /** A digest of secret content is never shown: whoever knows the rest of the file could test guesses against it. */
    private List<Item.Difference> shown(Item item, List<Item.Difference> differences) {
        var missing = resolver.missing(item);
        boolean hidden = !missing.isEmpty() || (item instanceof Item.File file && file.secret());
        return differences.stream()
                .map(difference -> hidden && difference.field().equals("sha256")
                        ? new Item.Difference(
                                "content", "***", missing.isEmpty() ? "***" : "*** with " + String.join(", ", missing))
                        : new Item.Difference(
                                difference.field(), difference.seen(), Marker.masked(difference.wanted())))
                .toList();
    }

    private Optional<String> diff(Item.File file, String before) {
        var after = Marker.masked(resolver.known(contents.text(file.body())));
        var old = before.isEmpty() ? List.<String>of() : before.lines().toList();
        var patch = DiffUtils.diff(old, after.lines().toList());
        var lines = UnifiedDiffUtils.generateUnifiedDiff(
                before.isEmpty() ? "/dev/null" : file.path(), file.path(), old, patch, CONTEXT);
        return lines.isEmpty() ? Optional.empty() : Optional.of(PlainText.of(String.join("\n", lines) + "\n"));
    }
}
