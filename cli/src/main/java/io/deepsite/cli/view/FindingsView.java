package io.deepsite.cli.view;

import io.deepsite.operations.Doctor;
import java.util.List;

/** The findings of {@code doctor}. */
public final class FindingsView {
    private final Style style;

    public FindingsView(Style style) {
        this.style = style;
    }

    public String text(List<Doctor.Finding> findings) {
        var lines = new Lines();
        int width = findings.stream()
                .mapToInt(finding -> finding.subject().length())
                .max()
                .orElse(0);
        for (var finding : findings) {
            lines.add(0, sign(finding.verdict()) + " " + Fit.pad(finding.subject(), width) + "  " + finding.detail());
            if (!finding.fix().isEmpty()) {
                lines.add(width + 4, "-> " + finding.fix());
            }
        }
        return lines.toString();
    }

    private String sign(Doctor.Verdict verdict) {
        return switch (verdict) {
            case GOOD -> style.green("✔");
            case WANTING -> style.yellow("!");
            case BAD -> style.red("✖");
        };
    }
}
