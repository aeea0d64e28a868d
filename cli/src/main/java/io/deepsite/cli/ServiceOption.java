package io.deepsite.cli;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** {@code --service URL}: a site of a service in place of a site.yaml here. */
final class ServiceOption {
    static final String NAME = "--service";
    static final String VARIABLE = "DEEPSITE_SERVICE";
    private static final List<String> ALWAYS = List.of(NAME, "--json", "--quiet", "--verbose");

    @Option(
            names = NAME,
            paramLabel = "URL",
            order = 82,
            description = "A service of sites to work at, in place of this machine (default: $" + VARIABLE
                    + "). There a site is named by its title, name or id.")
    @SuppressWarnings("unused") // read from the model, the same for all commands
    private @Nullable String url;

    /** Where the command is to work; empty: on this machine, as all commands do that have no such option. */
    static Optional<String> of(CommandSpec spec, Map<String, String> environment) {
        var option = spec.findOption(NAME);
        if (option == null) {
            return Optional.empty();
        }
        String given = option.getValue();
        return Optional.ofNullable(given == null ? environment.get(VARIABLE) : given)
                .filter(address -> !address.isBlank());
    }

    /** Takes the option out of the help of commands that refuse it, and of those below. */
    static CommandLine shownWhereItHasAMeaning(CommandLine line) {
        var spec = line.getCommandSpec();
        var option = spec.findOption(NAME);
        if (option != null && !(line.getCommand() instanceof AlsoAtService)) {
            spec.remove(option);
            spec.addOption(OptionSpec.builder(option).hidden(true).build());
        }
        line.getSubcommands().values().forEach(ServiceOption::shownWhereItHasAMeaning);
        return line;
    }

    /** @throws Failure COMMAND_LINE if an option is given that has a meaning at a service only */
    static void requireNoneOf(List<String> options, CommandSpec spec) {
        given(spec).filter(options::contains).findFirst().ifPresent(option -> {
            throw new Failure(Diagnostic.error(
                    Code.COMMAND_LINE,
                    option + " has a meaning at a service only.",
                    "Name the service, with " + NAME + " URL, or leave out " + option + "."));
        });
    }

    /** @throws Failure NOT_AT_SERVICE if an option is given that has no meaning there */
    static void requireOnly(List<String> options, CommandSpec spec) {
        given(spec)
                .filter(option -> !options.contains(option) && !ALWAYS.contains(option))
                .findFirst()
                .ifPresent(option -> {
                    throw new Failure(Diagnostic.error(
                            Code.NOT_AT_SERVICE,
                            "The service decides what " + option + " does for a site.yaml here.",
                            "Leave it out."));
                });
    }

    private static Stream<String> given(CommandSpec spec) {
        return spec.commandLine().getParseResult().matchedOptions().stream().map(option -> option.longestName());
    }
}
