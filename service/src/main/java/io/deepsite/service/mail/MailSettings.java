package io.deepsite.service.mail;

import io.deepsite.service.login.SecretReference;
import io.deepsite.site.Key;
import io.deepsite.site.OtherKeys;
import java.util.Map;
import java.util.Optional;

/** By which server the service sends mail. */
public record MailSettings(
        @Key(
                value =
                        "The SMTP server, with its port where that is not the usual one: 587 with STARTTLS, 465 with TLS, 25 without.",
                example = "smtp.example.org",
                pattern = "([A-Za-z0-9][A-Za-z0-9.-]*|\\[[0-9a-f:]+])(:[0-9]{1,5})?")
        String smtp,

        @Key(
                value =
                        "How the connection is protected: starttls, or tls from its first byte. none is for a server on this machine only.",
                defaultValue = "starttls",
                choices = {"starttls", "tls", "none"})
        String security,

        @Key(
                value = "Whom its mails come from.",
                example = "deepsite@example.org",
                pattern = "[A-Za-z0-9._+-]+@[A-Za-z0-9.-]+")
        String from,

        @Key(
                value = "The login at the server, where it wants one.",
                example = "deepsite",
                pattern = "[^\\p{Cntrl}]+",
                requires = @OtherKeys(value = "password", why = "A login has a password."))
        Optional<String> user,

        @Key(value = "The password of the login.", requires = @OtherKeys("user"))
        Optional<SecretReference> password,

        @Key(
                value =
                        "Certificate of the server's authority, a file on this machine (a full path), if it is not a public one.",
                example = "/etc/ssl/lab-ca.crt",
                pattern = "/.+")
        Optional<String> caFile) {
    private static final Map<String, Integer> PORTS = Map.of("starttls", 587, "tls", 465, "none", 25);

    String host() {
        return smtp.replaceFirst(":[0-9]+$", "").replaceAll("[\\[\\]]", "");
    }

    int port() {
        return smtp.matches(".*:[0-9]+")
                ? Integer.parseInt(smtp.substring(smtp.lastIndexOf(':') + 1))
                : PORTS.getOrDefault(security, 25);
    }

    /** Whether what is sent, passwords among it, could be read on the way. */
    public boolean isOpen() {
        return security.equals("none") && !host().matches("127\\.[0-9.]+|localhost|::1");
    }
}
