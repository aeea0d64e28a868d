package io.deepsite.cluster.slurm;

import static io.deepsite.cluster.ClusterStages.in;

import io.deepsite.cluster.ClusterCommand;
import io.deepsite.cluster.InvocationContext;
import io.deepsite.cluster.SiteAccess;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.ExitCode;
import io.deepsite.diag.Failure;
import io.deepsite.remote.BoundedBytes;
import io.deepsite.remote.RemoteHost;
import io.deepsite.site.Name;
import io.deepsite.site.Span;
import java.io.InputStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code deepsite token}: a token for Slurm's REST interface. */
@Command(
        name = "token",
        description = {
            "Print a token by which a user of the site uses Slurm's REST interface.",
            "Who has it acts in Slurm as that user until it ends. It cannot be revoked alone: a new key of the cluster ends all."
        },
        footer = {"  deepsite token alice", "  deepsite token alice --cluster hpc --for 8h > token"})
final class TokenCommand implements ClusterCommand {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final Pattern TOKEN =
            Pattern.compile("SLURM_JWT=([A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+)");

    @Parameters(index = "0", paramLabel = "USER", description = "A user of site.yaml.")
    private String user = "";

    @Option(
            names = "--cluster",
            paramLabel = "CLUSTER",
            description = "A cluster of site.yaml; may be left out if one only runs Slurm.")
    private @Nullable String cluster;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            defaultValue = "1h",
            description = "How long it is valid, at most 30d (default: ${DEFAULT-VALUE}).")
    private String time = "1h";

    @Override
    public int run(InvocationContext context) {
        long seconds = seconds();
        return context.withSite(site -> {
            var name = OnlySlurm.name(site, context, cluster, "token " + user + " --cluster");
            var slurm = site.cluster(name, new SlurmKind(), "no tokens");
            if (slurm.rest().isEmpty()) {
                throw new Failure(Diagnostic.error(
                        Code.NOT_WITH_KIND,
                        name + " has no key rest, so nothing takes a token.",
                        "Add rest: {} to it and apply."));
            }
            var who = context.name(user);
            if (!site.site().users().containsKey(who)) {
                throw new Failure(Diagnostic.error(
                        Code.COMMAND_LINE, "The site has no user " + who + ".", "Name one of its users, or add one."));
            }
            var token = token(site, slurm, who, seconds);
            if (context.json()) {
                var fields = new LinkedHashMap<String, Object>();
                fields.put("user", who.value());
                fields.put("token", token);
                fields.put("ends", site.clock().instant().plusSeconds(seconds).toString());
                context.printJson(fields);
            } else {
                context.print(token + "\n");
            }
            return ExitCode.DONE.number();
        });
    }

    private long seconds() {
        try {
            var span = Span.parse(time).duration();
            if (span.isPositive() && span.compareTo(SlurmRest.LONGEST_TOKEN) <= 0) {
                return span.toSeconds();
            }
        } catch (IllegalArgumentException _) {
            // Said below, as for one that is too long.
        }
        throw new Failure(
                Diagnostic.error(Code.COMMAND_LINE, "\"" + time + "\" is not a time up to 30d, such as 8h.", ""));
    }

    private static String token(SiteAccess site, Slurm slurm, Name user, long seconds) {
        var machine = in(slurm.controller(), site.machines()).getFirst().name();
        var text = new BoundedBytes(RemoteHost.KEPT);
        var said = new BoundedBytes(RemoteHost.KEPT);
        try (var host = site.connect(machine)) {
            var argv = List.of("scontrol", "token", "username=" + user, "lifespan=" + seconds);
            int exit = host.exec(argv, InputStream.nullInputStream(), text, said, LIMIT);
            var found = TOKEN.matcher(text.text().strip());
            if (exit != 0 || !found.matches()) {
                throw new Failure(Diagnostic.error(
                        Code.NOT_PROVED,
                        machine + " made no token: " + said.text().strip(),
                        "`deepsite verify` checks that the cluster works."));
            }
            return found.group(1);
        }
    }
}
