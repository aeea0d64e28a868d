package io.deepsite.cli;

import io.deepsite.client.EventReader;
import io.deepsite.client.KeptCredentials;
import io.deepsite.client.Login;
import io.deepsite.client.LoginFile;
import io.deepsite.client.OrderedSite;
import io.deepsite.client.ServiceAddress;
import io.deepsite.client.ServiceClient;
import io.deepsite.client.Sites;
import io.deepsite.client.login.Renewing;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.AuthorityFile;
import io.deepsite.remote.ShellWord;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Optional;
import java.util.function.ToIntFunction;

/** A service of sites, as a command works at it. */
final class AtService implements AutoCloseable {
    static final String VERBS =
            "apply, plan, status, logs, certificate, lease extend, lease end, destroy, sites and catalogue";

    private final CommandContext at;
    private final ServiceClient client;
    private final Sites sites;

    private AtService(CommandContext at, ServiceClient client) {
        this.at = at;
        this.client = client;
        this.sites = new Sites(client);
    }

    /** @throws Failure SERVICE_ADDRESS, NOT_LOGGED_IN, and what the service answers */
    static int with(CommandContext at, String address, ToIntFunction<AtService> work) {
        var service = ServiceAddress.parse(address);
        var file = new LoginFile(at.userHome());
        var trust = file.find(service).flatMap(Login::caFile).map(AtService::trust);
        var credentials = new KeptCredentials(
                file,
                service,
                at.clock(),
                login -> new Renewing(service, trust, at.clock(), at.environment()).apply(login));
        try (var opened = new AtService(at, new ServiceClient(service, trust, credentials))) {
            return work.applyAsInt(opened);
        } catch (Failure e) {
            throw e.diagnostics().getFirst().code() == Code.TOKEN_REFUSED ? loginOver(e, service) : e;
        }
    }

    /** Whoever typed a command has no token to send another one. */
    private static Failure loginOver(Failure refused, ServiceAddress service) {
        return new Failure(
                Diagnostic.error(
                        Code.TOKEN_REFUSED,
                        refused.diagnostics().getFirst().why(),
                        "Log in again:",
                        "deepsite login " + service),
                refused);
    }

    /** Where a command works that has a meaning at services only, and no service is named. */
    static String latest(CommandContext at) {
        return new LoginFile(at.userHome())
                .latest()
                .orElseThrow(() -> new Failure(Diagnostic.error(
                        Code.NOT_LOGGED_IN,
                        "You are logged in at no service.",
                        "Log in at one:",
                        "deepsite login https://clusters.example.org")))
                .toString();
    }

    /** @throws Failure FILE_UNREADABLE */
    static AuthorityFile.Trust trust(String caFile) {
        try {
            return AuthorityFile.trust(Path.of(caFile));
        } catch (IOException | GeneralSecurityException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.FILE_UNREADABLE,
                            "The certificate of an authority, " + caFile + ", cannot be used: " + e.getMessage() + ".",
                            "Log in again, with --ca FILE and a certificate in PEM."),
                    e);
        }
    }

    ServiceClient client() {
        return client;
    }

    Sites sites() {
        return sites;
    }

    EventReader events() {
        return new EventReader(client, Thread::sleep);
    }

    /** @throws Failure NOT_FOUND */
    OrderedSite site(String word) {
        return sites.find(word, Optional.empty())
                .orElseThrow(() -> new Failure(Diagnostic.error(
                        Code.NOT_FOUND,
                        client.service() + " has no site \"" + word + "\" of yours.",
                        "Name it by its title, name or id. List yours:",
                        typeable("sites", ""))));
    }

    /** The command as the user has to type it for this service. */
    String typeable(String verb, String site) {
        var named = at.environment().getOrDefault(ServiceOption.VARIABLE, "");
        var isNamed = !named.isBlank() && ServiceAddress.parse(named).equals(client.service());
        return "deepsite " + verb + (site.isEmpty() ? "" : " " + ShellWord.quoteIfNeeded(site))
                + (isNamed ? "" : " " + ServiceOption.NAME + " " + client.service());
    }

    @Override
    public void close() {
        client.close();
    }
}
