package io.deepsite.cli;

import io.deepsite.cli.view.UserImportView;
import io.deepsite.client.users.ScimUsers;
import io.deepsite.client.users.UserFiles;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.ExitCode;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import io.deepsite.operations.UsersImport;
import io.deepsite.site.User;
import io.deepsite.users.SourceUser;
import io.deepsite.users.UserImport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code deepsite users}: the users of a site that another system names. */
@Command(
        name = "users",
        description = "Import users of an identity provider, or of a file.",
        footer = "  deepsite users import --from people.csv --dry-run")
final class UsersCommand extends CommandGroup {
    private UsersCommand() {}

    static CommandLine line(CommandContext at) {
        return new CommandLine(new UsersCommand()).addSubcommand("import", new Import(at));
    }

    @Command(
            name = "import",
            description = {
                "Write the users of a provider or a file into the file that usersFrom of site.yaml names.",
                "New ones get a uid that nobody had before. Those who left are locked, and keep uid and files. The next apply"
                        + " brings it to the hosts. Users of site.yaml itself are never touched.",
                "A file is JSON (a list of people with the names of SCIM, of OpenID's claims, or login, name, groups, keys,"
                        + " uid, active), CSV with such columns, or lines as of getent passwd."
            },
            footer = {
                "  deepsite users import --scim https://iam.example.org/scim --token-file token --group physics",
                "  oidc-token lab --scope scim:read | deepsite users import --scim https://iam.example.org/scim --token-file -",
                "  deepsite users import --from people.csv --dry-run",
                "  getent passwd | deepsite users import --from -"
            })
    static final class Import extends DeepsiteCommand {
        private static final String STANDARD = "-";

        @ArgGroup(multiplicity = "1")
        private Source source = new Source();

        static final class Source {
            @Option(
                    names = "--scim",
                    paramLabel = "URL",
                    description =
                            "A provider's SCIM, the address under which Users is; https, or http on this machine.")
            private @Nullable String scim;

            @Option(
                    names = "--from",
                    paramLabel = "FILE",
                    description = "A file: .json, .csv, or as passwd; - reads it from stdin.")
            private @Nullable String from;
        }

        @Option(
                names = "--format",
                paramLabel = "FORMAT",
                description = "json, csv or passwd (default: as the name of the file ends; stdin is passwd).")
        private UserFiles.@Nullable Format format;

        @Option(
                names = "--token-file",
                paramLabel = "FILE",
                description = "An access token that may list users; - reads it from stdin. With --scim.")
        private @Nullable String tokenFile;

        @Option(names = "--ca", paramLabel = "FILE", description = "The provider's authority, in PEM. With --scim.")
        private @Nullable Path ca;

        @Option(
                names = "--group",
                paramLabel = "GROUP",
                description = "Only members of this group, and of their groups only this; may be repeated.")
        private List<String> groups = List.of();

        @Option(
                names = "--first-uid",
                paramLabel = "UID",
                defaultValue = "2001",
                description = "Where free uids are looked for (default: ${DEFAULT-VALUE}).")
        private int firstUid;

        @Option(names = "--dry-run", description = "Show what would change; write nothing.")
        private boolean dryRun;

        @Option(
                names = "--lock-many",
                description =
                        "Lock more than half of the users, too. Without it that is refused: a source may be incomplete.")
        private boolean lockMany;

        @Mixin
        private SiteOption target = new SiteOption();

        Import(CommandContext at) {
            super(at);
        }

        @Override
        protected int run() {
            if (firstUid < User.FIRST_UID || firstUid > User.LAST_UID) {
                throw wrong("--first-uid is between " + User.FIRST_UID + " and " + User.LAST_UID + ".");
            }
            return SiteContexts.with(at, target, context -> {
                var users =
                        new UsersImport(context, new UserImport.Rules(new LinkedHashSet<>(groups), firstUid), lockMany);
                var file = users.file();
                var people = people();
                var result = dryRun ? users.plan(people) : users.run(people);
                var view = new UserImportView(result, file, dryRun);
                if (json) {
                    printJson(view.json());
                } else {
                    print(view.text());
                }
                return ExitCode.DONE.number();
            });
        }

        private List<SourceUser> people() {
            if (source.scim != null) {
                if (tokenFile == null || format != null) {
                    throw wrong("--scim needs --token-file, and takes no --format.");
                }
                var trust = Optional.ofNullable(ca).map(file -> AtService.trust(file.toString()));
                try (var scim = new ScimUsers(source.scim, text(tokenFile).strip(), trust)) {
                    return scim.all();
                }
            }
            if (tokenFile != null || ca != null) {
                throw wrong("--token-file and --ca are for --scim.");
            }
            var from = String.valueOf(source.from);
            return UserFiles.read(
                    Optional.ofNullable(format).orElseGet(() -> UserFiles.Format.of(from)), from, text(from));
        }

        private String text(String file) {
            if (file.equals(STANDARD)) {
                return at.terminal().in().lines().collect(Collectors.joining("\n"));
            }
            try {
                return Files.readString(Path.of(file));
            } catch (IOException e) {
                throw new Failure(
                        Diagnostic.error(
                                Code.FILE_UNREADABLE,
                                file + " cannot be read: " + FileFault.words(e) + ".",
                                "Name another file."),
                        e);
            }
        }

        private static Failure wrong(String why) {
            return new Failure(Diagnostic.error(
                    Code.COMMAND_LINE, why, "The options are explained by:", "deepsite users import --help"));
        }
    }
}
