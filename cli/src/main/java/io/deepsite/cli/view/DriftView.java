package io.deepsite.cli.view;

import io.deepsite.plan.Plan;
import java.util.List;

/** What changed outside deepsite since the last apply. */
public final class DriftView {
    private final Style style;

    public DriftView(Style style) {
        this.style = style;
    }

    /** Ends with a line break; empty without drift. */
    public String text(List<Plan.Drift> drift) {
        var lines = new Lines();
        String place = null;
        for (var one : drift) {
            var where = one.host().isEmpty() ? "back-end" : one.host();
            if (!where.equals(place)) {
                lines.add(2, style.bold(where));
                place = where;
            }
            var name =
                    one.role().isEmpty() ? one.item() : ItemWords.name(one.item()) + style.dim("  role " + one.role());
            var gone = one.differences().stream().filter(ItemWords::isGone).findFirst();
            if (gone.isPresent() || one.differences().size() == 1) {
                var difference = gone.orElseGet(() -> one.differences().getFirst());
                lines.add(4, style.yellow("!") + " " + name + ": " + ItemWords.drift(difference));
            } else {
                lines.add(4, style.yellow("!") + " " + name);
                one.differences().forEach(difference -> lines.add(8, ItemWords.drift(difference)));
            }
        }
        return lines.toString();
    }
}
