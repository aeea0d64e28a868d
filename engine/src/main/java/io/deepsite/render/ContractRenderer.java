package io.deepsite.render;

import io.deepsite.contract.Action;
import io.deepsite.contract.Contract;
import io.deepsite.contract.Item;
import io.deepsite.contract.Unknowns;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Machine;
import io.deepsite.render.Role.Entry;
import io.deepsite.render.Role.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Renders the contracts of roles, one host at a time; each role is read once. Thread-safe. */
public final class ContractRenderer {
    private final DeepsiteHome home;
    private final TemplateRenderer templates;
    private final Map<String, Role> roles = new ConcurrentHashMap<>();

    public ContractRenderer(DeepsiteHome home, TemplateRenderer templates) {
        this.home = home;
        this.templates = templates;
    }

    /** @param texts of the files, by {@link Item.File#body()}; for {@link io.deepsite.contract.Contents} */
    public record Rendered(Contract contract, SortedMap<String, String> texts) {
        /** Of the contract, its actions and their tasks. Not computed where nobody compares it. */
        public String fingerprint() {
            return Fingerprint.of(contract);
        }
    }

    /**
     * @param machine the host
     * @param machines all of the site, in order
     * @param variables of the role, by name; texts, whole numbers, booleans, lists and maps of these
     * @throws Failure if the variables do not fit the role, or the role itself is faulty
     */
    public Rendered render(String role, Machine machine, SiteScope machines, Map<String, ?> variables) {
        var known = roles.computeIfAbsent(role, name -> Role.read(home, templates, name));
        var scope = new HashMap<String, Object>(Variables.complete(role, known.variables(), variables));
        scope.put("inventory_hostname", machine.name());
        scope.put("host", machines.of(machine.name()));
        scope.put("hosts", machines.hosts());
        var texts = new TreeMap<String, String>();
        var contract = new Contract(role, machine.name(), items(known, scope, texts), actions(known, scope));
        return new Rendered(contract, texts);
    }

    private List<Item> items(Role role, Map<String, Object> scope, Map<String, String> texts) {
        var items = new ArrayList<Item>();
        var ids = new HashSet<String>();
        for (var entry : role.items()) {
            for (var inner : repeated(role, entry, scope)) {
                if (!wanted(entry, inner)) {
                    continue;
                }
                var rendered = rendered(role, entry, inner);
                var item = new ItemReader(role.name(), templates, inner, texts).item(rendered);
                if (!ids.add(item.id())) {
                    throw rendered.fault("There is a second " + item.id() + " on this host.");
                }
                items.add(item);
            }
        }
        return items;
    }

    private List<Map<String, Object>> repeated(Role role, Entry entry, Map<String, Object> scope) {
        var each = entry.get("each");
        if (each.isEmpty()) {
            return List.of(scope);
        }
        if (!(render(each.get(), scope) instanceof List<?> elements)) {
            throw rendered(role, entry, scope).fault("`each` is a list.");
        }
        var scopes = new ArrayList<Map<String, Object>>();
        for (var element : elements) {
            var inner = new HashMap<>(scope);
            if (element != null) {
                inner.put("item", element);
            }
            scopes.add(inner);
        }
        return scopes;
    }

    private boolean wanted(Entry entry, Map<String, Object> scope) {
        return entry.get("when").map(when -> Plain.truth(render(when, scope))).orElse(true);
    }

    private RenderedEntry rendered(Role role, Entry entry, Map<String, Object> scope) {
        var values = new LinkedHashMap<String, @Nullable Object>();
        entry.values().forEach((key, value) -> {
            if (!key.equals("each") && !key.equals("when")) {
                values.put(key, render(value, scope));
            }
        });
        return new RenderedEntry(role.contract(), entry.line(), values);
    }

    private @Nullable Object render(Value value, Map<String, Object> scope) {
        return switch (value) {
            case Value.Fixed fixed -> fixed.value().orElse(null);
            case Value.Text text -> templates.value(text.template(), scope);
            case Value.Many many ->
                many.elements().stream().map(element -> render(element, scope)).toList();
            case Value.Fields fields -> {
                var map = new LinkedHashMap<String, @Nullable Object>();
                fields.entries().forEach((key, entry) -> map.put(key, render(entry, scope)));
                yield map;
            }
        };
    }

    private List<Action> actions(Role role, Map<String, Object> scope) {
        var actions = new ArrayList<Action>();
        for (var entry : role.actions()) {
            if (wanted(entry, scope)) {
                actions.add(action(role, rendered(role, entry, scope)));
            }
        }
        return actions;
    }

    private static Action action(Role role, RenderedEntry entry) {
        var undo = entry.needed("undo");
        // A file name has no blank; a reason has.
        var undoFile = Optional.of(undo).filter(text -> !text.contains(" "));
        var run = entry.needed("run");
        var done = entry.texts("done");
        if (done.isEmpty()) {
            throw entry.fault("`done` is a command: exit status 0 says that the action is done.");
        }
        var with = new TreeMap<String, Object>();
        if (entry.value("with").orElse(Map.of()) instanceof Map<?, ?> map) {
            map.forEach((key, value) -> {
                if (value != null) {
                    with.put(String.valueOf(key), value);
                }
            });
        }
        var action = new Action(
                entry.needed("id"),
                entry.needed("does"),
                done,
                run,
                undoFile,
                undoFile.isPresent() ? Optional.empty() : Optional.of(undo),
                blast(entry),
                with,
                role.digest(run, undoFile),
                entry.flag("on_delete", false));
        entry.allRead("an action");
        entry.withoutSecret();
        entry.factsTold(
                Unknowns.in(action),
                () -> Unknowns.filled(action, _ -> "").toString(),
                "`done` and `with` of an action");
        return action;
    }

    private static Action.Impact blast(RenderedEntry entry) {
        var text = entry.needed("blast");
        for (var blast : Action.Impact.values()) {
            if (blast.name().toLowerCase(Locale.ROOT).equals(text)) {
                return blast;
            }
        }
        throw entry.fault("`blast` is nothing, restart, drain, wipe or reboot.");
    }
}
