package io.deepsite.cli;

import io.deepsite.diag.Diagnostic;
import io.deepsite.remote.ShellWord;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Completes suggested commands so that they work as printed: the rest of deepsite writes {@code deepsite apply}; only the
 * command line knows the site's file, if it is not ./site.yaml, and its parameters.
 *
 * @param set values of parameters
 * @param store as {@code --store} gave it, else empty
 */
record SiteWords(Path file, Map<String, String> set, String store) {
    static final String USUAL_FILE = "site.yaml";
    static final SiteWords USUAL = new SiteWords(Path.of(USUAL_FILE), Map.of(), "");

    SiteWords {
        set = Map.copyOf(set);
    }

    Diagnostic complete(CommandContext at, Diagnostic fault) {
        return new Diagnostic(
                fault.severity(),
                fault.code(),
                fault.where(),
                fault.why(),
                fault.fix(),
                fault.commands().stream().map(command -> complete(at, command)).toList());
    }

    /** Completes a command. One that is not deepsite's, or already names the site, stays unchanged. */
    String complete(CommandContext at, String command) {
        if (equals(USUAL)) {
            return command;
        }
        var words = new ArrayList<>(Arrays.asList(command.split(" ")));
        var verb = words.size() > 1 && words.getFirst().equals("deepsite") ? Verb.of(at.kinds(), words.get(1)) : null;
        if (verb == null || verb.isEmpty()) {
            return command;
        }
        var spec = verb.get().make(at).getCommandSpec();
        int end = 2;
        while (end < words.size() && spec.subcommands().containsKey(words.get(end))) {
            spec = Objects.requireNonNull(spec.subcommands().get(words.get(end)))
                    .getCommandSpec();
            end++;
        }
        var more = new ArrayList<String>();
        more.addAll(file(spec, command));
        if (spec.findOption("--set") != null && words.stream().noneMatch(word -> word.startsWith("--set"))) {
            set.entrySet().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .forEach(one -> more.addAll(
                            List.of("--set", ShellWord.quoteIfNeeded(one.getKey() + "=" + one.getValue()))));
        }
        if (!store.isEmpty() && spec.findOption("--store") != null) {
            more.addAll(List.of("--store", ShellWord.quoteIfNeeded(store)));
        }
        words.addAll(end, more);
        return String.join(" ", words);
    }

    private List<String> file(CommandSpec spec, String command) {
        var name = ShellWord.quoteIfNeeded(file.toString());
        if (name.equals(USUAL_FILE) || command.contains(name)) {
            return List.of();
        }
        boolean isArgument =
                spec.positionalParameters().stream().anyMatch(argument -> USUAL_FILE.equals(argument.defaultValue()));
        return isArgument ? List.of(name) : spec.findOption("--site") == null ? List.of() : List.of("--site", name);
    }
}
