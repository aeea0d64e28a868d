package io.deepsite.cli.view;

import io.deepsite.contract.Contract;
import io.deepsite.contract.Item;
import io.deepsite.contract.ItemWords;
import io.deepsite.plan.ActionChange;
import io.deepsite.plan.Change;
import io.deepsite.plan.ItemChange;
import io.deepsite.plan.Plan;
import io.deepsite.plan.Step;
import io.deepsite.text.HostNames;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What changes inside hosts. Hosts with the same changes, but for their own names and addresses, are listed together. */
final class PlanHosts {
    /** Head of the only hunk of a file that was empty or missing. */
    private static final String NEW_FILE = "@@ -1,0 ";

    /** Longer ones, of lists of all machines, are cut. */
    private static final int LONGEST_DIFF = 100;

    private final Style style;
    private final PlanView.Detail detail;
    private final Plan plan;

    PlanHosts(Style style, PlanView.Detail detail, Plan plan) {
        this.style = style;
        this.detail = detail;
        this.plan = plan;
    }

    void into(Lines lines) {
        var byHost = new TreeMap<String, List<Step>>(HostNames::compare);
        for (var step : plan.steps()) {
            if (!(step instanceof Step.OfResource)) {
                byHost.computeIfAbsent(PlanView.subject(step), _ -> new ArrayList<>())
                        .add(step);
            }
        }
        if (byHost.isEmpty()) {
            return;
        }
        var same = new LinkedHashMap<String, List<String>>();
        byHost.forEach((host, steps) -> same.computeIfAbsent(text(steps, new HashMap<>()), _ -> new ArrayList<>())
                .add(host));
        lines.gap().add(0, style.bold("Inside the hosts"));
        var shown = new HashMap<String, String>();
        alike(same).forEach(group -> {
            var first = group.hosts().getFirst();
            lines.add(
                            2,
                            style.bold(HostNames.brief(group.hosts()))
                                    + (group.differ() ? style.dim("  shown: " + first) : ""))
                    .append(text(byHost.getOrDefault(first, List.of()), shown));
        });
    }

    /** @param own whether the changes differ in the names and addresses of the hosts, if there are several */
    private record Group(List<String> hosts, boolean own) {
        boolean differ() {
            return own && hosts.size() > 1;
        }
    }

    /** @param same hosts by the text of their changes */
    private Collection<Group> alike(Map<String, List<String>> same) {
        var groups = new LinkedHashMap<String, Group>();
        same.forEach((text, hosts) -> {
            if (hosts.size() > 1) {
                groups.put(text, new Group(hosts, false));
            } else {
                groups.computeIfAbsent(
                                "\0" + withoutOwn(hosts.getFirst(), text), _ -> new Group(new ArrayList<>(), true))
                        .hosts()
                        .addAll(hosts);
            }
        });
        return groups.values();
    }

    private String withoutOwn(String host, String text) {
        var unnamed = HostNames.without(host, text);
        var machine = plan.machines().get(host);
        return machine == null
                ? unnamed
                : machine.address()
                        .map(address -> HostNames.without(address, unnamed))
                        .orElse(unnamed);
    }

    /** @param shown the host where each diff was shown first: a diff is shown once */
    private String text(List<Step> steps, Map<String, String> shown) {
        var lines = new Lines();
        for (var step : steps) {
            switch (step) {
                case Step.OfResource _ -> {}
                case Step.OfRole role -> role(lines, role, role.contract(), role.items(), role.actions(), shown);
                case Step.Leave leave -> role(lines, leave, leave.contract(), leave.items(), leave.actions(), shown);
            }
        }
        return lines.toString();
    }

    private void role(
            Lines lines,
            Step step,
            Contract contract,
            List<ItemChange> items,
            List<ActionChange> actions,
            Map<String, String> shown) {
        var counts = detail == PlanView.Detail.STEPS ? counts(items, actions) : "";
        lines.add(
                4, style.sign(step.change()) + " " + title(step, contract) + style.dim("  " + step.reason()) + counts);
        if (detail == PlanView.Detail.FULL) {
            var known = known(step, contract);
            items.forEach(change -> {
                item(lines, change, Optional.ofNullable(known.get(change.id())));
                change.diff().ifPresent(diff -> diff(lines, contract.host(), change.id(), diff, shown));
            });
            actions.forEach(action -> action(lines, action));
        }
    }

    /** The stage's name, and the role's if it differs. */
    private static String title(Step step, Contract contract) {
        var stage = switch (step) {
            case Step.OfRole role -> role.stage();
            case Step.Leave leave -> leave.stage();
            case Step.OfResource resource -> resource.id();
        };
        var last = stage.substring(stage.lastIndexOf('.') + 1);
        return last.equals(contract.role()) ? stage : stage + " (role " + contract.role() + ")";
    }

    private static Map<String, Item> known(Step step, Contract contract) {
        var known = contract.items().stream().collect(Collectors.toMap(Item::id, item -> item, (one, _) -> one));
        if (step instanceof Step.OfRole role) {
            role.dropped().ifPresent(gone -> gone.items().forEach(item -> known.putIfAbsent(item.id(), item)));
        }
        return known;
    }

    private void item(Lines lines, ItemChange change, Optional<Item> item) {
        var words = new ArrayList<String>();
        if (change.change() == Change.CREATE) {
            item.map(ItemWords::details).filter(text -> !text.isEmpty()).ifPresent(words::add);
        }
        if (item.orElse(null) instanceof Item.File file && change.change() != Change.DELETE) {
            file.secrets().forEach(name -> words.add("secret " + name + ": " + whatOfSecret(name)));
        }
        if (change.change() == Change.DELETE) {
            item.map(ItemWords::leaving).filter(text -> !text.isEmpty()).ifPresent(words::add);
        }
        if (change.change() == Change.NONE) {
            words.add("kept");
        }
        if (change.change() == Change.UPDATE) {
            item.map(ItemWords::wakes).filter(text -> !text.isEmpty()).ifPresent(words::add);
        }
        lines.add(
                8,
                style.sign(change.change()) + " " + ItemWords.name(change.id())
                        + (words.isEmpty() ? "" : style.dim("  " + String.join("; ", words))));
        if (change.change() == Change.UPDATE) {
            change.differences()
                    .forEach(difference -> ItemWords.difference(
                                    difference, change.diff().isPresent())
                            .ifPresent(line -> lines.add(12, line)));
        }
    }

    private String whatOfSecret(String name) {
        return plan.secrets().stream()
                .filter(secret -> secret.name().equals(name))
                .map(secret -> secret.change() == Change.CREATE ? "new" : "rotated")
                .findFirst()
                .orElse("same");
    }

    /** Skips the two lines of file names: the name is in the line above. */
    private void diff(Lines lines, String host, String item, String diff, Map<String, String> shown) {
        var first = shown.putIfAbsent(item + "\n" + diff, host);
        if (first != null && !first.equals(host)) {
            lines.add(12, style.dim("the same as on " + first));
        } else {
            var text = diff.lines()
                    .skip(2)
                    .filter(line -> !line.startsWith(NEW_FILE))
                    .toList();
            int cut = text.size() > LONGEST_DIFF ? LONGEST_DIFF / 2 : text.size();
            text.subList(0, cut).forEach(line -> lines.add(12, coloured(line)));
            if (cut < text.size()) {
                lines.add(12, style.dim("… " + (text.size() - cut) + " more lines: --json shows them"));
            }
        }
    }

    private String coloured(String line) {
        return switch (line.isEmpty() ? ' ' : line.charAt(0)) {
            case '+' -> style.green(line);
            case '-' -> style.red(line);
            case '@' -> style.cyan(line);
            default -> line;
        };
    }

    private void action(Lines lines, ActionChange action) {
        var undone = action.change() == Change.DELETE ? "undo " : "";
        var impact = action.blast().name().toLowerCase(Locale.ROOT);
        lines.add(
                8,
                style.sign(action.change()) + " " + undone + "action " + action.id() + ": " + action.does()
                        + (impact.equals("nothing") ? "" : style.dim("  (" + impact + ")")));
    }

    private static String counts(List<ItemChange> items, List<ActionChange> actions) {
        var words = new ArrayList<String>();
        long changed =
                items.stream().filter(item -> item.change() != Change.NONE).count();
        if (changed > 0) {
            words.add(changed + (changed == 1 ? " item" : " items"));
        }
        if (!actions.isEmpty()) {
            words.add(actions.size() + (actions.size() == 1 ? " action" : " actions"));
        }
        return words.isEmpty() ? "" : ": " + String.join(", ", words);
    }
}
