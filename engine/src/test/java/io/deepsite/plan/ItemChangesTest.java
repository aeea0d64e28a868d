package io.deepsite.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.contract.Contents;
import io.deepsite.contract.Digests;
import io.deepsite.contract.Item;
import io.deepsite.contract.Seen;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whether an item of a contract is created, changed or removed. */
class ItemChangesTest {
    private static final Item.Phase BEFORE = Item.Phase.BEFORE;
    private static final Item.Notify NONE = Item.Notify.NONE;

    private final ItemChanges changes =
            new ItemChanges(new Contents(new TreeMap<>(Map.of(Digests.sha256("b\n"), "b\n"))), UnknownResolver.NOTHING);

    static Stream<Arguments> items() {
        return Stream.of(
                Arguments.of(item("package", "curl"), Map.of("installed", false), Change.CREATE),
                Arguments.of(item("package", "curl"), Map.of("installed", true, "held", true), Change.UPDATE),
                Arguments.of(item("service", "ssh"), Map.of("active", false), Change.UPDATE),
                Arguments.of(item("repository", "debs"), Map.of(), Change.CREATE),
                Arguments.of(item("repository", "debs"), Map.of("sha256", "other"), Change.UPDATE),
                Arguments.of(item("ini", "size"), Map.of("present", false), Change.CREATE),
                Arguments.of(item("ini", "size"), Map.of("present", true, "values", List.of("9")), Change.UPDATE),
                Arguments.of(item("mount", "/srv"), Map.of("mounted", false), Change.CREATE),
                Arguments.of(item("mount", "/srv"), Map.of("mounted", true, "source", "x:/y"), Change.UPDATE),
                Arguments.of(item("link", "/l"), Map.of("exists", false), Change.CREATE),
                Arguments.of(item("link", "/l"), Map.of("exists", true, "target", "/x"), Change.UPDATE));
    }

    @ParameterizedTest
    @MethodSource("items")
    void isCreatedWhereItIsNotThereAndChangedWhereItIs(Item item, Map<String, Object> seen, Change change) {
        assertThat(changes.of(item, Seen.of(seen))).map(ItemChange::change).contains(change);
    }

    @Test
    void aPackageThatMustNotBeThereIsRemoved() {
        var absent = new Item.DebianPackage("telnetd", false, false, BEFORE, NONE);

        assertThat(changes.of(absent, Seen.of(Map.of("installed", true))))
                .map(ItemChange::change)
                .contains(Change.DELETE);
        assertThat(changes.of(absent, Seen.of(Map.of("installed", false)))).isEmpty();
    }

    @Test
    void theDiffOfANewFileIsFromNothingAndThatOfAChangedOneFromItsOwnPath() {
        var file = SamplePlan.file("/etc/x", "b\n");
        var fresh = changes.fresh(file);

        assertThat(fresh.diff()).hasValueSatisfying(diff -> assertThat(diff).startsWith("--- /dev/null\n+++ /etc/x\n"));
        assertThat(changes.withDiff(fresh, file, "a\n").diff())
                .hasValue("--- /etc/x\n+++ /etc/x\n@@ -1,1 +1,1 @@\n-a\n+b\n");
        assertThat(changes.withDiff(fresh, file, "b\n").diff()).isEmpty();
    }

    private static Item item(String type, String name) {
        return switch (type) {
            case "package" -> new Item.DebianPackage(name, true, false, BEFORE, NONE);
            case "service" -> new Item.Service(name, true, true, BEFORE, NONE);
            case "repository" ->
                new Item.Repository(
                        name, List.of("http://x"), List.of("s"), List.of("c"), Optional.empty(), BEFORE, NONE);
            case "ini" -> new Item.Ini("/etc/x.conf", "pool", name, List.of("1"), false, BEFORE, NONE);
            case "mount" -> new Item.Mount(name, "10.0.0.1:/srv", "nfs", "ro", BEFORE, NONE);
            case "link" -> new Item.Link(name, "/to", BEFORE, NONE);
            default -> throw new IllegalArgumentException(type);
        };
    }
}
