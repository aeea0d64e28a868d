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
 * What a token of {@code lxc config trust add} says, apart from its secret.
 *
 * @param fingerprint SHA-256 of the server's certificate, in lower case
 * @param clientName under which LXD will list us
 */
record TrustToken(String fingerprint, String clientName) {
    TrustToken(@Nullable String fingerprint, @Nullable String clientName) {
        this.fingerprint = Objects.requireNonNullElse(fingerprint, "").toLowerCase(Locale.ROOT);
        this.clientName = Objects.requireNonNullElse(clientName, "");
    }

    static TrustToken read(String text) {
        try {
            var json = new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
            var token = Json.MAPPER.readValue(json, TrustToken.class);
            if (token != null && token.fingerprint.matches("[0-9a-f]{64}")) {
                return token;
            }
        } catch (IllegalArgumentException | JacksonException _) {
            // Told below; the text itself is a secret.
        }
        throw new Failure(Diagnostic.error(
                Code.LXD_INTRODUCTION_REFUSED,
                "What was given is no token of LXD: such a one is one long word that begins with \"eyJ\". Nothing was sent.",
                "Put the token alone into the file. On the LXD host this prints a new one:",
                "lxc config trust add --name deepsite"));
    }
}
