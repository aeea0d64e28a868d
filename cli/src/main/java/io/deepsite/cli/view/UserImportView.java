package io.deepsite.cli.view;

import io.deepsite.diag.PlainText;
import io.deepsite.users.UserImport;
import io.deepsite.users.UserImport.Change;
import io.deepsite.users.UserImport.Kind;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What an import of users changed, or would change. */
public final class UserImportView {
    /** A stranger may have written it. */
    private static final int LONGEST = 200;

    private final UserImport.Result result;
    private final Path file;
    private final boolean dryRun;

    public UserImportView(UserImport.Result result, Path file, boolean dryRun) {
        this.result = result;
        this.file = file;
        this.dryRun = dryRun;
    }

    public String text() {
        var text = new StringBuilder();
        for (var kind : Kind.values()) {
            of(kind).forEach(change -> text.append("  ")
                    .append(sign(kind))
                    .append(' ')
                    .append(PlainText.of(change.user(), LONGEST))
                    .append(": ")
                    .append(change.what())
                    .append('\n'));
        }
        result.refusedGroups()
                .forEach((group, why) -> text.append("  ! group ")
                        .append(PlainText.of(group, LONGEST))
                        .append(": left out, ")
                        .append(why)
                        .append('\n'));
        text.append(result.count(Kind.ADDED))
                .append(" added, ")
                .append(result.count(Kind.CHANGED))
                .append(" changed, ")
                .append(result.count(Kind.LOCKED))
                .append(" locked, ")
                .append(result.count(Kind.UNLOCKED))
                .append(" unlocked, ")
                .append(result.count(Kind.SKIPPED))
                .append(" skipped.\n");
        return text.append(end()).toString();
    }

    private String end() {
        boolean none = result.changes().stream().allMatch(change -> change.kind() == Kind.SKIPPED);
        return none
                ? file + " is up to date.\n"
                : dryRun
                        ? "Nothing was written: a dry run.\n"
                        : file + " was written. Review and commit it; `deepsite apply` brings it to the hosts.\n";
    }

    private List<Change> of(Kind kind) {
        return result.changes().stream().filter(change -> change.kind() == kind).toList();
    }

    private static String sign(Kind kind) {
        return switch (kind) {
            case ADDED -> "+";
            case CHANGED -> "~";
            case LOCKED -> "locked";
            case UNLOCKED -> "unlocked";
            case SKIPPED -> "!";
        };
    }

    public Map<String, Object> json() {
        var json = new LinkedHashMap<String, Object>();
        json.put("file", file.toString());
        json.put("dryRun", dryRun);
        for (var kind : Kind.values()) {
            json.put(
                    kind.name().toLowerCase(Locale.ROOT),
                    of(kind).stream()
                            .map(change -> Map.of("user", change.user(), "what", change.what()))
                            .toList());
        }
        json.put("groupsLeftOut", result.refusedGroups());
        return json;
    }
}
