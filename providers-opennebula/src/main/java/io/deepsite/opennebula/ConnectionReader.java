package io.deepsite.opennebula;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import io.deepsite.opennebula.oca.Session;
import io.deepsite.provider.AuthorityFile;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** Finds endpoint and session string: in site.yaml, else where OpenNebula's own commands find them. */
final class ConnectionReader {
    private static final String USUAL_ENDPOINT = "http://localhost:2633/RPC2";
    private static final long LONGEST = 4096;

    private final Environment environment;
    private final OpenNebulaSettings settings;
    private final Path folder;

    /** @param folder of site.yaml */
    ConnectionReader(Environment environment, OpenNebulaSettings settings, Path folder) {
        this.environment = environment;
        this.settings = settings;
        this.folder = folder;
    }

    Connection read() {
        var file = authFile();
        return new Connection(
                endpoint(), session(file), file.toString(), settings.authority().map(this::trusting));
    }

    private URI endpoint() {
        var text =
                settings.endpoint().or(() -> environment.variable("ONE_XMLRPC")).orElse(USUAL_ENDPOINT);
        try {
            var uri = new URI(text.strip());
            boolean http = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
            if (!http || uri.getHost() == null || uri.getUserInfo() != null) {
                throw new URISyntaxException("ONE_XMLRPC", "neither http nor https to a host");
            }
            return uri;
        } catch (URISyntaxException e) {
            // The text may hold a password.
            throw unusable(
                    "The endpoint in ONE_XMLRPC is not the address of a front-end.",
                    "Write it like https://one.example:2633/RPC2; put user and password into the file of ONE_AUTH.",
                    e);
        }
    }

    private Path authFile() {
        if (settings.auth().isPresent()) {
            return inHome(settings.auth().get());
        }
        return environment
                .variable("ONE_AUTH")
                .map(this::inHome)
                .orElseGet(() -> environment.home().resolve(".one").resolve("one_auth"));
    }

    private Path inHome(String text) {
        return text.startsWith("~/") ? environment.home().resolve(text.substring(2)) : folder.resolve(text);
    }

    private Session session(Path file) {
        var text = text(file).strip();
        try {
            return Session.parse(text);
        } catch (IllegalArgumentException e) {
            throw unusable(
                    "The file " + file + " holds no session string: "
                            + (text.isEmpty() ? "it is empty" : e.getMessage()) + ".",
                    "Put one line into it, user:password or user:token, from the administrator or from \"oneuser"
                            + " login\".",
                    e);
        }
    }

    private String text(Path file) {
        try {
            if (!Files.exists(file)) {
                throw new Failure(
                        Diagnostic.error(
                                Code.OPENNEBULA_SESSION_MISSING,
                                "There is no file " + file + ", which "
                                        + (settings.auth().isPresent()
                                                ? "provider.opennebula.auth names"
                                                : environment
                                                                .variable("ONE_AUTH")
                                                                .isPresent()
                                                        ? "ONE_AUTH names"
                                                        : "OpenNebula's commands read by default")
                                        + ".",
                                "Write user:password into it (mode 0600), or name another file as auth in provider.opennebula."));
            }
            if (Files.size(file) > LONGEST) {
                throw unusable(
                        "The file " + file + " is far too large for a session string.",
                        "Name a file with one line, user:password.",
                        null);
            }
            return Files.readString(file);
        } catch (IOException e) {
            throw unusable(
                    "The file " + file + " cannot be read: " + FileFault.words(e) + ".",
                    "Give it to the user who runs deepsite, with mode 0600.",
                    e);
        }
    }

    private SSLSocketFactory trusting(String path) {
        var file = inHome(path);
        try {
            return AuthorityFile.sockets(file);
        } catch (IOException e) {
            throw unusable(
                    "The certificate " + file + " cannot be read: " + FileFault.words(e) + ".",
                    "Name the authority's certificate (PEM) as authority in provider.opennebula.",
                    e);
        } catch (GeneralSecurityException e) {
            throw unusable(
                    "The file " + file + " is not the certificate of an authority: " + e.getMessage() + ".",
                    "Name a PEM file, which begins with -----BEGIN CERTIFICATE-----.",
                    e);
        }
    }

    private static Failure unusable(String why, String fix, @Nullable Throwable cause) {
        return new Failure(Diagnostic.error(Code.OPENNEBULA_CONNECTION_UNUSABLE, why, fix), cause);
    }
}
