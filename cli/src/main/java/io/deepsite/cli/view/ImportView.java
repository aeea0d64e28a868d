package io.deepsite.cli.view;

import io.deepsite.tosca.ImportedSite;
import io.deepsite.tosca.ImportedSite.Extent;
import io.deepsite.tosca.ImportedSite.Left;
import io.deepsite.tosca.TemplateFolder.Report;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/** What an import took over of a template, and what not. */
public final class ImportView {
    private ImportView() {}

    public static String text(ImportedSite made) {
        var text = new StringBuilder();
        list(text, "Not in the site:", made, Left::lost);
        list(text, "In another way:", made, left -> !left.lost());
        return text.isEmpty() ? "Everything of the template is in it.\n" : text.toString();
    }

    private static void list(StringBuilder text, String title, ImportedSite made, Predicate<Left> chosen) {
        var lines = made.left().stream().filter(chosen).toList();
        if (lines.isEmpty()) {
            return;
        }
        text.append('\n').append(title).append('\n');
        lines.forEach(left -> text.append("  ")
                .append(left.line() > 0 ? "line " + left.line() + ": " : "")
                .append(left.what())
                .append("\n      ")
                .append(left.why())
                .append('\n'));
    }

    public static Map<String, Object> json(ImportedSite made) {
        var fields = new LinkedHashMap<String, Object>();
        fields.put("extent", word(made.extent()));
        fields.put("left", made.left());
        return fields;
    }

    public static String text(List<Report> reports) {
        var rows = new Columns();
        reports.forEach(report -> rows.row(
                report.file(), report.made().map(made -> word(made.extent())).orElse("refused"), report.why()));
        var text = new StringBuilder(rows.text(0));
        text.append('\n').append(reports.size()).append(" templates: ");
        for (var extent : Extent.values()) {
            text.append(count(reports, extent)).append(' ').append(word(extent)).append(", ");
        }
        return text.append(reports.stream()
                        .filter(report -> report.made().isEmpty())
                        .count())
                .append(" refused\n")
                .toString();
    }

    public static Map<String, Object> json(List<Report> reports) {
        var counts = new LinkedHashMap<String, Object>();
        for (var extent : Extent.values()) {
            counts.put(word(extent), count(reports, extent));
        }
        counts.put("templates", reports.stream().map(ImportView::json).toList());
        return counts;
    }

    private static Map<String, Object> json(Report report) {
        var fields = new LinkedHashMap<String, Object>();
        fields.put("file", report.file());
        fields.put("extent", report.made().map(made -> word(made.extent())).orElse("refused"));
        fields.put("why", report.why());
        report.made().ifPresent(made -> fields.put("left", made.left()));
        return fields;
    }

    private static long count(List<Report> reports, Extent extent) {
        return reports.stream()
                .filter(report ->
                        report.made().filter(made -> made.extent() == extent).isPresent())
                .count();
    }

    private static String word(Extent extent) {
        return extent.name().toLowerCase(Locale.ROOT);
    }
}
