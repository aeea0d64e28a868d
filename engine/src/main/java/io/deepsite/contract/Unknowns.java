package io.deepsite.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Finds and fills in facts of machines that do not exist yet, in items and actions. */
public final class Unknowns {
    /** The machine's public SSH host key; deepsite generated it, so no machine is queried. */
    public static final String HOST_KEY = "host_key";

    /** The facts that are known of a machine once it exists. */
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
     * Applies {@code fill} to each text of the item that may hold a fact. Returns a file unchanged: the item does not
     * contain its text. Does not change what names an item, which must be the same before and after.
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

    /** Applies {@code fill} to each text of the action that may hold a fact. */
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
