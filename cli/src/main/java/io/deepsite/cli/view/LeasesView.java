package io.deepsite.cli.view;

import io.deepsite.lease.LeasedSite;
import io.deepsite.text.Elapsed;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All sites of a back-end, with the end of each lease. */
public final class LeasesView {
    private final Style style;
    private final Instant now;

    public LeasesView(Style style, Instant now) {
        this.style = style;
        this.now = now;
    }

    public String text(List<LeasedSite> sites) {
        if (sites.isEmpty()) {
            return "deepsite has no sites on this back-end.\n";
        }
        var rows = new Columns();
        sites.forEach(site -> rows.row(
                site.site().value(),
                site.resources().size() + (site.resources().size() == 1 ? " resource" : " resources"),
                site.ends()
                        .map(ends -> (site.expired(now) ? "ended " : "ends ") + Elapsed.utc(ends) + ", "
                                + LeaseWords.left(ends, now))
                        .orElse("no end"),
                site.lineage()));
        return style.bold("Sites") + "\n" + rows.text(2);
    }

    public static List<Map<String, Object>> json(List<LeasedSite> sites) {
        return sites.stream().map(LeasesView::json).toList();
    }

    private static Map<String, Object> json(LeasedSite site) {
        var fields = new LinkedHashMap<String, Object>();
        fields.put("site", site.site().value());
        fields.put("lineage", site.lineage());
        site.ends().ifPresent(ends -> fields.put("ends", ends.toString()));
        fields.put(
                "resources",
                site.resources().stream().map(one -> one.id().toString()).toList());
        return fields;
    }
}
