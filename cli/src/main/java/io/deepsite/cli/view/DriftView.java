package io.deepsite.cli.view;

import io.deepsite.contract.Item;
import io.deepsite.contract.ItemWords;
import io.deepsite.plan.Plan;
import io.deepsite.text.HostNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/** What changed outside deepsite since the last apply. Hosts and resources that changed alike are listed together. */
public final class DriftView {
    private final Style style;

    public DriftView(Style style) {
        this.style = style;
    }

    /** Ends with a line break; empty without drift. */
    public String text(List<Plan.Drift> drift) {
        var places = new LinkedHashMap<String, List<Plan.Drift>>();
        drift.forEach(one ->
                places.computeIfAbsent(one.host(), _ -> new ArrayList<>()).add(one));
        var alike = new LinkedHashMap<String, List<String>>();
        places.forEach((host, changes) -> alike.computeIfAbsent(
                        host.isEmpty() ? resources(changes) : items(changes), _ -> new ArrayList<>())
                .add(host.isEmpty() ? "back-end" : host));
        var lines = new Lines();
        alike.forEach((text, hosts) -> {
            hosts.sort(HostNames::compare);
            lines.add(2, style.bold(HostNames.brief(hosts))).append(text);
        });
        return lines.toString();
    }

    private String items(List<Plan.Drift> changes) {
        var lines = new Lines();
        changes.forEach(one -> add(
                lines,
                one.role().isEmpty() ? one.item() : ItemWords.name(one.item()) + style.dim("  role " + one.role()),
                one.differences()));
        return lines.toString();
    }

    private String resources(List<Plan.Drift> changes) {
        var alike = new LinkedHashMap<List<Item.Difference>, List<String>>();
        changes.forEach(one ->
                alike.computeIfAbsent(one.differences(), _ -> new ArrayList<>()).add(one.item()));
        var lines = new Lines();
        alike.forEach((differences, ids) -> {
            ids.sort(HostNames::compare);
            add(lines, HostNames.brief(ids), differences);
        });
        return lines.toString();
    }

    private void add(Lines lines, String name, List<Item.Difference> differences) {
        var gone = differences.stream().filter(ItemWords::isGone).findFirst();
        if (gone.isPresent() || differences.size() == 1) {
            var difference = gone.orElseGet(differences::getFirst);
            lines.add(4, style.yellow("!") + " " + name + ": " + ItemWords.drift(difference));
        } else {
            lines.add(4, style.yellow("!") + " " + name);
            differences.forEach(difference -> lines.add(8, ItemWords.drift(difference)));
        }
    }
}
