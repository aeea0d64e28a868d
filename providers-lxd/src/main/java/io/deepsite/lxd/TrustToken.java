package io.deepsite.lxd;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * The fields of a token of {@code lxc config trust add}, except its secret.
 *
 * @param fingerprint SHA-256 of the server's certificate, in lower case
 * @param clientName the name under which LXD lists this client
 */
record TrustToken(String fingerprint, String clientName) {
    TrustToken(@Nullable String fingerprint, @Nullable String clientName) {
        this.fingerprint = Objects.requireNonNullElse(fingerprint, "").toLowerCase(Locale.ROOT);
        this.clientName = Objects.requireNonNullElse(clientName, "");
    }

    static TrustToken read(String text, Daemon daemon) {
        try {
            var json = new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
            var token = Json.MAPPER.readValue(json, TrustToken.class);
            if (token != null && token.fingerprint.matches("[0-9a-f]{64}")) {
                return token;
            }
        } catch (IllegalArgumentException | JacksonException _) {
            // Reported below, without the text: it is a secret.
        }
        throw new Failure(Diagnostic.error(
                Code.LXD_INTRODUCTION_REFUSED,
                "This is not a token of " + daemon
                        + ": a token is one long word that begins with \"eyJ\". Nothing was sent.",
                "Put only the token into the file. This command prints a new one, on " + daemon.host() + ":",
                daemon.trust()));
    }
}
