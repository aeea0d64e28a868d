package io.deepsite.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Where facts of machines that do not stand yet may occur in items and actions, and how they are filled in. */
public final class Unknowns {
    /** The public key by which a machine proves who it is; deepsite knows it, and asks nobody. */
    public static final String HOST_KEY = "host_key";

    /** What is known of a machine once it stands. */
    public static final Set<String> FACTS = Set.of("address", "cpus", "memory_mib", HOST_KEY);

    private Unknowns() {}

    /** In order of appearance, each once. */
    public static List<Item.Unknown> in(Item item) {
        if (item instanceof Item.File file) {
            return file.unknowns();
        }
        var texts = new StringBuilder();
        filled(item, text -> noted(texts, text));
        return Marker.unknownsIn(texts.toString());
    }

    public static List<Item.Unknown> in(Action action) {
        var texts = new StringBuilder();
        filled(action, text -> noted(texts, text));
        return Marker.unknownsIn(texts.toString());
    }

    public static boolean in(Contract contract) {
        return contract.items().stream().anyMatch(item -> !in(item).isEmpty())
                || contract.actions().stream().anyMatch(action -> !in(action).isEmpty());
    }

    /**
     * The item with each text passed through {@code fill} that may hold a fact. A file is given back as it is: its text
     * is not in the item. What names an item is left alone, for it must be the same before and after.
     */
    public static Item filled(Item item, UnaryOperator<String> fill) {
        return switch (item) {
            case Item.Repository it ->
                new Item.Repository(
                        it.name(),
                        all(it.uris(), fill),
                        it.suites(),
                        it.components(),
                        it.signedBy(),
                        it.phase(),
                        it.wake());
            case Item.Ini it ->
                new Item.Ini(
                        it.path(),
                        it.section(),
                        it.option(),
                        all(it.values(), fill),
                        it.absent(),
                        it.phase(),
                        it.wake());
            case Item.Line it -> new Item.Line(it.path(), it.name(), fill.apply(it.block()), it.phase(), it.wake());
            case Item.Mount it ->
                new Item.Mount(
                        it.path(),
                        fill.apply(it.source()),
                        it.fstype(),
                        fill.apply(it.options()),
                        it.phase(),
                        it.wake());
            case Item.Kernel it ->
                new Item.Kernel(it.what(), it.name(), it.value().map(fill), it.phase(), it.wake());
            case Item.Probe it ->
                new Item.Probe(
                        it.name(), all(it.run(), fill), it.expect().map(fill), it.expectRc(), it.phase(), it.wake());
            case Item.DebianPackage _,
                    Item.Group _,
                    Item.User _,
                    Item.Directory _,
                    Item.Link _,
                    Item.File _,
                    Item.Service _ -> item;
        };
    }

    /** The action with each text passed through {@code fill} that may hold a fact. */
    public static Action filled(Action action, UnaryOperator<String> fill) {
        var with = new TreeMap<String, Object>();
        action.with().forEach((name, value) -> with.put(name, deep(value, fill)));
        return new Action(
                action.id(),
                action.does(),
                all(action.done(), fill),
                action.run(),
                action.undo(),
                action.whyNoUndo(),
                action.blast(),
                with,
                action.digest(),
                action.onDelete());
    }

    private static Object deep(Object value, UnaryOperator<String> fill) {
        return switch (value) {
            case String text -> fill.apply(text);
            case List<?> list ->
                list.stream().map(element -> deep(element, fill)).collect(Collectors.toCollection(ArrayList::new));
            case Map<?, ?> map -> {
                var filled = new TreeMap<String, Object>();
                map.forEach((key, each) -> filled.put(String.valueOf(key), deep(each, fill)));
                yield filled;
            }
            default -> value;
        };
    }

    private static List<String> all(List<String> texts, UnaryOperator<String> fill) {
        return texts.stream().map(fill).toList();
    }

    private static String noted(StringBuilder texts, String text) {
        texts.append(text).append('\n');
        return text;
    }
}
