package io.deepsite.lxd;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import io.deepsite.provider.Introduction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import okhttp3.HttpUrl;
import tools.jackson.databind.JsonNode;

/**
 * Makes a server trust the client certificate of a site, with a token or LXD's trust password. A token holds the
 * fingerprint of the server's certificate, so the first connection is already pinned; a password is sent only to a server
 * whose certificate is in its file.
 */
final class Enrolment {
    /** Newer versions of LXD take the token in a field of its own. */
    private static final String OWN_FIELD = "explicit_trust_token";

    private final DaemonSettings settings;
    private final Path folder;
    private final Faults faults;
    private final List<String> done = new ArrayList<>();

    Enrolment(DaemonSettings settings, Path folder) {
        this.settings = settings;
        this.folder = folder;
        this.faults = new Faults(settings.address());
    }

    /** @return what was done, one line each */
    List<String> by(Introduction introduction) {
        if (settings.address().isSocket()) {
            throw new Failure(Diagnostic.error(
                    Code.NOT_WITH_PROVIDER,
                    "The site uses " + settings.daemon() + "'s socket, which needs no certificate.",
                    "There is nothing to enroll: " + settings.daemon()
                            + " trusts every user who may open the socket."));
        }
        if (introduction.kind() == Introduction.Kind.PASSWORD
                && !settings.daemon().takesPassword()) {
            throw new Failure(Diagnostic.error(
                    Code.NOT_WITH_PROVIDER,
                    settings.daemon() + " has no trust password. Nothing was sent.",
                    "Create a token on " + settings.daemon().host()
                            + " (first command), put it into a file, then enroll with it:",
                    settings.daemon().trust(),
                    "deepsite enroll --token-file " + settings.daemon().tokenFile()));
        }
        var server = ClientIdentity.file(settings.serverCertificate(), "serverCertificate", folder, settings.daemon());
        var certificate = ClientIdentity.file(settings.certificate(), "certificate", folder, settings.daemon());
        var key = ClientIdentity.file(settings.key(), "key", folder, settings.daemon());
        try {
            if (introduction.kind() == Introduction.Kind.TOKEN) {
                pin(TrustToken.read(introduction.reveal(), settings.daemon()), server);
            } else if (!Files.exists(server)) {
                throw unknownServer(server);
            }
            if (!Files.exists(certificate) && !Files.exists(key)) {
                ClientPair.make(certificate, key);
                done.add("Made the client certificate " + certificate + " and its key " + key + ".");
            }
        } catch (IOException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.FILE_NOT_WRITTEN,
                            "A certificate or key cannot be written: " + FileFault.words(e) + ". Nothing was sent to "
                                    + settings.daemon() + ".",
                            "Name files in provider." + settings.provider() + " that this user can write."),
                    e);
        }
        introduce(introduction);
        return List.copyOf(done);
    }

    private void pin(TrustToken token, Path server) throws IOException {
        if (Files.exists(server)) {
            same(token, ClientIdentity.certificate(server, settings.daemon()), "The certificate in " + server);
            return;
        }
        var shown = ShownCertificate.of(HttpUrl.get(settings.endpoint()), faults);
        same(token, shown, "The certificate that the server at " + settings.endpoint() + " shows");
        ClientPair.write(server, shown);
        done.add("Saved the server's certificate, which the token names, as " + server + ".");
    }

    private void same(TrustToken token, X509Certificate certificate, String which) {
        if (!fingerprint(certificate).equals(token.fingerprint())) {
            throw new Failure(Diagnostic.error(
                    Code.LXD_WRONG_CERTIFICATE,
                    which + " is not the one that the token names. The token was not sent.",
                    "Compare " + settings.daemon().setting("endpoint")
                            + " and serverCertificate with the server that gave the token. If they are"
                            + " right, the connection is being intercepted."));
        }
    }

    private Failure unknownServer(Path server) {
        return new Failure(Diagnostic.error(
                Code.LXD_CERTIFICATE_UNREADABLE,
                "The server's certificate " + server
                        + " does not exist, and deepsite sends a password only to a known server. Nothing was sent.",
                "Copy it over a channel that you trust: it is server.crt in the daemon's folder, such as /var/lib/"
                        + settings.provider() + ". Or use a token, which names the certificate:",
                "deepsite enroll --token-file " + settings.daemon().tokenFile()));
    }

    private void introduce(Introduction introduction) {
        var endpoint = Endpoint.of(settings, folder);
        try (var rest = new Rest(endpoint.client(), endpoint.base(), DaemonSettings.USUAL_PROJECT, faults, 1)) {
            var server = rest.get(rest.path(), JsonNode.class);
            if (isTrusted(server)) {
                done.add(settings.address() + " trusts this client already.");
                return;
            }
            boolean ownField = introduction.kind() == Introduction.Kind.TOKEN
                    && (settings.daemon().hasTokenField()
                            || server.path("api_extensions")
                                    .valueStream()
                                    .anyMatch(name -> name.asString().equals(OWN_FIELD)));
            var body = Map.of(
                    "type", "client", "name", "deepsite", ownField ? "trust_token" : "password", introduction.reveal());
            send(rest, body, introduction.kind());
            if (!isTrusted(rest.get(rest.path(), JsonNode.class))) {
                throw new Failure(
                        faults.notTrusted(settings.address() + " accepted the certificate but does not trust it."));
            }
            done.add(settings.address() + " trusts this client now.");
        }
    }

    private void send(Rest rest, Map<String, String> body, Introduction.Kind kind) {
        try {
            rest.send("POST", rest.path("certificates"), body);
        } catch (Refusal refusal) {
            throw new Failure(
                    Diagnostic.error(
                            Code.LXD_INTRODUCTION_REFUSED,
                            settings.address() + " answered " + refusal.status() + " to the "
                                    + (kind == Introduction.Kind.TOKEN
                                            ? "token: " + refusal.error()
                                                    + ". A token works for one client, and the server may limit its"
                                                    + " time."
                                            : "password: " + refusal.error()
                                                    + ". It must equal core.trust_password there; if that is not set,"
                                                    + " " + settings.daemon() + " accepts tokens only.")
                                    + " Nothing was changed.",
                            "Create a new token on " + settings.daemon().host()
                                    + " (first command), put it into a file, then enroll with it:",
                            settings.daemon().trust(),
                            "deepsite enroll --token-file " + settings.daemon().tokenFile()),
                    refusal);
        }
    }

    private static boolean isTrusted(JsonNode server) {
        return server.path("auth").asString("").equals("trusted");
    }

    private static String fingerprint(X509Certificate certificate) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded()));
        } catch (NoSuchAlgorithmException | CertificateEncodingException e) {
            throw new IllegalStateException(e);
        }
    }
}
