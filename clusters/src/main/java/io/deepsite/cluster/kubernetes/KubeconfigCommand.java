package io.deepsite.cluster.kubernetes;

import io.deepsite.cluster.ClusterCommand;
import io.deepsite.cluster.InvocationContext;
import io.deepsite.cluster.SiteAccess;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.ExitCode;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import io.deepsite.state.AtomicFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code deepsite kubeconfig}: what kubectl needs to reach a cluster. */
@Command(
        name = "kubeconfig",
        description = {
            "Write a kubeconfig of a Kubernetes cluster.",
            "The administrator's own; with --user a new client certificate for that user and the user's groups; with --oidc none"
                    + " but a login at the identity provider by kubectl's plugin oidc-login. Without -o it goes to standard output."
        },
        footer = {
            "  deepsite kubeconfig k8s -o ~/.kube/config",
            "  deepsite kubeconfig k8s --user alice -o alice.conf",
            "  deepsite kubeconfig k8s --oidc -o users.conf"
        })
final class KubeconfigCommand implements ClusterCommand {
    @Parameters(index = "0", paramLabel = "CLUSTER", description = "A cluster of site.yaml.")
    private String cluster = "";

    @Option(
            names = {"-u", "--user"},
            paramLabel = "USER",
            description = "For this user instead of the administrator.")
    private @Nullable String user;

    @Option(names = "--oidc", description = "Without a secret: each user logs in at the identity provider.")
    private boolean oidc;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = {
                "Add it to this file, or make it, for you alone to read (0600).",
                "Other clusters, users and contexts in it stay; what it was before is kept in FILE.backup."
            })
    private @Nullable Path output;

    @Option(
            names = "--keep-current-context",
            description = "With -o: leave the file's current context as it is; else it is this cluster's from then on.")
    private boolean keepCurrent;

    @Override
    public int run(InvocationContext context) {
        return context.withSite(site -> fetch(context, site));
    }

    private int fetch(InvocationContext context, SiteAccess site) {
        if (oidc && user != null) {
            throw new Failure(Diagnostic.error(
                    Code.COMMAND_LINE,
                    "With --oidc everybody logs in with a name of their own, so there is no --user.",
                    "Leave one of the two out."));
        }
        var name = context.name(cluster);
        var kubernetes = site.cluster(name, new KubernetesKind(), "no kubeconfig");
        var config = KubeconfigSource.of(
                site, name, kubernetes, Optional.ofNullable(user).map(context::name), oidc);
        if (output == null) {
            context.print(config.text());
        } else {
            write(output, config);
        }
        return ExitCode.DONE.number();
    }

    /** As the clients of other Kubernetes services do it: what others put into the file stays. */
    private void write(Path output, KubeconfigFile fresh) {
        try {
            // A link, as people keep for their dotfiles, stays one.
            var file = Files.exists(output) ? output.toRealPath() : output;
            var before = Files.exists(file) ? Files.readString(file) : "";
            var merged = KubeconfigFile.read(before, output.toString()).with(fresh, !keepCurrent);
            if (!before.isBlank()) {
                AtomicFile.swap(
                        file.resolveSibling(file.getFileName() + ".backup"), before.getBytes(StandardCharsets.UTF_8));
            }
            AtomicFile.swap(file, merged.text().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw FileFault.notWritten(output, e);
        }
    }
}
