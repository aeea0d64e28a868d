package io.deepsite.openstack;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.Nearest;
import io.deepsite.openstack.Credentials.ApplicationCredential;
import io.deepsite.openstack.Credentials.ClientCertificate;
import io.deepsite.openstack.Credentials.Domain;
import io.deepsite.openstack.Credentials.Named;
import io.deepsite.openstack.Credentials.OidcAccessToken;
import io.deepsite.openstack.Credentials.Password;
import io.deepsite.openstack.Credentials.Scope;
import io.deepsite.openstack.Credentials.Token;
import io.deepsite.state.Secret;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import okhttp3.HttpUrl;

/**
 * Finds the credentials that a site means: those of a cloud in clouds.yaml, or the OS_* variables. A secret that the file
 * leaves out may be in its variable.
 */
final class CredentialsReader {
    /** The domain of a user or project for which none is given; every Keystone has it. */
    private static final Domain USUAL_DOMAIN = new Domain(Optional.of("default"), Optional.empty());

    private static final Set<String> FACINGS = Set.of("public", "internal", "admin");

    private final Environment environment;
    private final OpenStackSettings site;
    private final CloudsFiles files;

    CredentialsReader(Environment environment, OpenStackSettings site) {
        this.environment = environment;
        this.site = site;
        this.files = new CloudsFiles(environment, new Faults("clouds.yaml"));
    }

    Credentials read() {
        var named = site.cloud().or(() -> environment.variable("OS_CLOUD"));
        if (named.isEmpty() && environment.variable("OS_AUTH_URL").isPresent()) {
            return credentials(Settings.ofVariables(environment));
        }
        var found = files.read();
        if (named.isEmpty() && found.clouds().size() == 1) {
            named = Optional.of(found.clouds().keySet().iterator().next());
        }
        if (named.isEmpty()) {
            throw missing(found);
        }
        var cloud = found.clouds().get(named.get());
        if (cloud != null) {
            return credentials(Settings.ofCloud(
                    "cloud " + named.get() + " of " + found.file().orElseThrow(), cloud));
        }
        if (named.get().equals("envvars") && environment.variable("OS_AUTH_URL").isPresent()) {
            return credentials(Settings.ofVariables(environment));
        }
        throw unknown(named.get(), found);
    }

    /** Variables that name the files and the cloud; empty where variables hold the secrets themselves. */
    Optional<SortedMap<String, String>> unattended() {
        var named = site.cloud().or(() -> environment.variable("OS_CLOUD"));
        var found = files.read();
        if (found.file().isEmpty()
                || (named.isEmpty() && environment.variable("OS_AUTH_URL").isPresent())) {
            return Optional.empty();
        }
        var variables = new TreeMap<>(files.found());
        named.ifPresent(cloud -> variables.put("OS_CLOUD", cloud));
        return Optional.of(variables);
    }

    private Failure missing(CloudsFiles.Found found) {
        return new Failure(Diagnostic.error(
                Code.OPENSTACK_CREDENTIALS_MISSING,
                found.clouds().isEmpty()
                        ? "There is no clouds.yaml with a cloud in it, and OS_AUTH_URL is not set."
                        : "Nothing says which cloud of " + found.file().orElseThrow() + " is meant: "
                                + Faults.some(found.clouds().keySet()) + ".",
                found.clouds().isEmpty()
                        ? "Put clouds.yaml into ~/.config/openstack (most dashboards offer it for download), or set the"
                                + " OS_* variables."
                        : "Name one as cloud in provider.openstack, or in OS_CLOUD."));
    }

    private Failure unknown(String name, CloudsFiles.Found found) {
        var why = found.file()
                .map(file -> file + " has no cloud " + name + "; it has "
                        + Faults.some(found.clouds().keySet()) + ".")
                .orElseGet(() -> "The cloud " + name
                        + " should be in a clouds.yaml, and there is none. deepsite looked for it at "
                        + files.candidates("clouds", "OS_CLIENT_CONFIG_FILE").stream()
                                .map(Path::toString)
                                .filter(path -> path.endsWith(".yaml"))
                                .reduce((one, other) -> one + ", " + other)
                                .orElseThrow()
                        + ".");
        return new Failure(Diagnostic.error(
                Code.OPENSTACK_CLOUD_UNKNOWN,
                why,
                Nearest.to(name, found.clouds().keySet())
                        .map(near -> "Did you mean \"" + near + "\"?")
                        .orElse("Name a cloud that is there, or write this one into clouds.yaml.")));
    }

    private Credentials credentials(Settings settings) {
        var faults = new Faults(settings.origin());
        refuseInsecure(settings);
        var method = method(settings, faults);
        return new Credentials(
                settings.origin(),
                authUrl(settings, faults),
                method,
                scope(settings, method),
                site.region().or(settings::region),
                facing(settings, faults),
                settings.text("cert")
                        .map(cert -> new ClientCertificate(
                                path(cert), path(settings.text("key").orElse(cert)))),
                authority(settings));
    }

    private void refuseInsecure(Settings settings) {
        if (settings.isFalse("verify") || settings.isTrue("insecure")) {
            throw new Failure(Diagnostic.error(
                    Code.OPENSTACK_INSECURE,
                    "The settings of " + settings.origin()
                            + " turn off the check of the server's certificate (verify, insecure)."
                            + " Anyone on the network path could then steal the credentials.",
                    "Remove the key, and name the cloud's authority (PEM) as cacert, or in OS_CACERT."));
        }
    }

    private static HttpUrl authUrl(Settings settings, Faults faults) {
        var written =
                settings.text("auth_url").orElseThrow(() -> lacks(settings, "auth_url", "the address of Keystone"));
        var url = HttpUrl.parse(written);
        if (url == null || !url.username().isEmpty() || url.query() != null) {
            throw faults.unusable(
                    "The auth_url of " + settings.origin() + " is no URL.",
                    "Write one such as https://cloud.example:5000/v3.");
        }
        return url;
    }

    private Credentials.Method method(Settings settings, Faults faults) {
        var type = settings.text("auth_type").orElse(settings.text("token").isPresent() ? "token" : "password");
        return switch (type) {
            case "password", "v3password" -> new Password(user(settings), secret(settings, "password"));
            case "token", "v3token" -> new Token(secret(settings, "token"));
            case "v3applicationcredential" -> {
                var id = settings.text("application_credential_id");
                var name = settings.text("application_credential_name");
                if (id.isEmpty() && name.isEmpty()) {
                    throw lacks(settings, "application_credential_id", "which application credential it is");
                }
                yield new ApplicationCredential(
                        id,
                        id.isPresent() ? Optional.empty() : name,
                        id.isPresent() ? Optional.empty() : Optional.of(user(settings)),
                        secret(settings, "application_credential_secret"));
            }
            case "v3oidcaccesstoken" -> oidc(settings);
            default ->
                throw faults.unusable(
                        "The auth_type of " + settings.origin() + " is " + type
                                + "; deepsite supports password, token, v3applicationcredential and v3oidcaccesstoken.",
                        "Create an application credential for deepsite and use it:",
                        "openstack application credential create deepsite");
        };
    }

    private OidcAccessToken oidc(Settings settings) {
        var token = settings.text("access_token").or(() -> environment.variable("OS_ACCESS_TOKEN"));
        var file = settings.text("access_token_file").or(() -> environment.variable("OS_ACCESS_TOKEN_FILE"));
        if (token.isEmpty() && file.isEmpty()) {
            throw lacks(settings, "access_token", "the access token, or access_token_file with its path");
        }
        return new OidcAccessToken(
                settings.text("identity_provider")
                        .orElseThrow(() -> lacks(settings, "identity_provider", "who gave the token")),
                settings.text("protocol").orElseThrow(() -> lacks(settings, "protocol", "Keystone's name of it")),
                token.map(Secret::of),
                token.isPresent() ? Optional.empty() : file.map(this::path));
    }

    private static Named user(Settings settings) {
        var id = settings.text("user_id");
        var name = settings.text("username", "user_name");
        if (id.isEmpty() && name.isEmpty()) {
            throw lacks(settings, "username", "who logs in");
        }
        return named(id, name, domain(settings, "user_domain"));
    }

    private static Optional<Scope> scope(Settings settings, Credentials.Method method) {
        // An application credential belongs to one project, and takes no scope.
        if (method instanceof ApplicationCredential) {
            return Optional.empty();
        }
        var id = settings.text("project_id");
        var name = settings.text("project_name");
        return id.isEmpty() && name.isEmpty()
                ? Optional.empty()
                : Optional.of(new Scope(named(id, name, domain(settings, "project_domain"))));
    }

    /** An id needs no domain. */
    private static Named named(Optional<String> id, Optional<String> name, Domain domain) {
        return id.isPresent()
                ? new Named(id, Optional.empty(), Optional.empty())
                : new Named(Optional.empty(), name, Optional.of(domain));
    }

    private static Domain domain(Settings settings, String key) {
        var id = settings.text(key + "_id");
        var name = settings.text(key + "_name");
        if (id.isPresent() || name.isPresent()) {
            return domain(id, name);
        }
        id = settings.text("default_domain_id", "default_domain", "domain_id");
        name = settings.text("default_domain_name", "domain_name");
        return id.isPresent() || name.isPresent() ? domain(id, name) : USUAL_DOMAIN;
    }

    private static Domain domain(Optional<String> id, Optional<String> name) {
        return new Domain(id, id.isPresent() ? Optional.empty() : name);
    }

    private Secret secret(Settings settings, String key) {
        var variable = "OS_" + key.toUpperCase(Locale.ROOT);
        return settings.text(key)
                .or(() -> environment.variable(variable))
                .map(Secret::of)
                .orElseThrow(
                        () -> lacks(settings, key, "the secret of the login; it may be in secure.yaml or " + variable));
    }

    private String facing(Settings settings, Faults faults) {
        var facing = site.facing()
                .or(() -> settings.text("interface", "endpoint_type"))
                .orElse("public")
                .replaceFirst("URL$", "");
        if (!FACINGS.contains(facing)) {
            throw faults.unusable(
                    "The interface of " + settings.origin() + " is " + facing + ".",
                    "Write public, internal or admin.");
        }
        return facing;
    }

    private Optional<Path> authority(Settings settings) {
        return settings.text("cacert").map(this::path);
    }

    private Path path(String written) {
        return written.startsWith("~/")
                ? environment.home().resolve(written.substring(2))
                : environment.workingFolder().resolve(written);
    }

    private static Failure lacks(Settings settings, String key, String what) {
        return new Failure(Diagnostic.error(
                Code.OPENSTACK_CREDENTIALS_UNUSABLE,
                "The settings of " + settings.origin() + " have no " + key + ": " + what + ".",
                "Add it."));
    }
}
