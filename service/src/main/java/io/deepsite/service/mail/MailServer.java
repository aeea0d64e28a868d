package io.deepsite.service.mail;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.AuthorityFile;
import jakarta.mail.MessagingException;
import jakarta.mail.SendFailedException;
import jakarta.mail.Session;
import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/** Sends a mail by SMTP, each over a connection of its own: there are few. Any thread may call. */
final class MailServer {
    private static final String MILLIS = String.valueOf(Duration.ofSeconds(20).toMillis());

    private final MailSettings settings;
    private final Optional<String> password;
    private final Session session;

    /**
     * @param environment of the process, for the password
     * @throws Failure SECRET_NOT_READ, FILE_UNREADABLE
     */
    MailServer(MailSettings settings, Map<String, String> environment) {
        this.settings = settings;
        this.password = settings.password().map(reference -> reference.read(environment));
        this.session = Session.getInstance(properties(settings));
    }

    private static Properties properties(MailSettings settings) {
        var properties = new Properties();
        properties.put("mail.smtp.connectiontimeout", MILLIS);
        properties.put("mail.smtp.timeout", MILLIS);
        properties.put("mail.smtp.writetimeout", MILLIS);
        properties.put("mail.smtp.auth", String.valueOf(settings.user().isPresent()));
        properties.put("mail.smtp.from", settings.from());
        properties.put(
                "mail.smtp.starttls.enable", String.valueOf(settings.security().equals("starttls")));
        // A server that offers none, or somebody who cuts the offer out, gets nothing.
        properties.put(
                "mail.smtp.starttls.required",
                String.valueOf(settings.security().equals("starttls")));
        properties.put(
                "mail.smtp.ssl.enable", String.valueOf(settings.security().equals("tls")));
        properties.put("mail.smtp.ssl.checkserveridentity", "true");
        settings.caFile().ifPresent(file -> {
            try {
                properties.put("mail.smtp.ssl.socketFactory", AuthorityFile.sockets(Path.of(file)));
            } catch (IOException | GeneralSecurityException e) {
                throw new Failure(
                        Diagnostic.error(
                                Code.FILE_UNREADABLE,
                                "The certificate of the mail server's authority, " + file + ", cannot be used: "
                                        + e.getMessage() + ".",
                                "Put a certificate in PEM there, readable by the user of the service."),
                        e);
            }
        });
        return properties;
    }

    /** The address cannot get mail, now and later. */
    static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1;

        RefusedException(Throwable cause) {
            super(cause.getMessage(), cause);
        }
    }

    /**
     * @param id the same for the same mail: it tells a mail program that it has it already
     * @throws MessagingException it may work later
     */
    void send(String to, MailText text, String id, Instant at) throws MessagingException, RefusedException {
        var message = new Mail(session, id);
        message.setFrom(new InternetAddress(settings.from()));
        var address = recipient(to);
        message.setRecipient(MimeMessage.RecipientType.TO, address);
        message.setSubject(text.subject(), StandardCharsets.UTF_8.name());
        message.setText(text.body(), StandardCharsets.UTF_8.name());
        message.setSentDate(Date.from(at));
        // No answers of those who are away. Source: RFC 3834.
        message.setHeader("Auto-Submitted", "auto-generated");
        message.saveChanges();
        try (var transport = session.getTransport("smtp")) {
            transport.connect(settings.host(), settings.port(), settings.user().orElse(null), password.orElse(null));
            transport.sendMessage(message, new InternetAddress[] {address});
        } catch (SendFailedException e) {
            // What the server may take later is not among these.
            if (e.getInvalidAddresses() != null && e.getInvalidAddresses().length > 0) {
                // The next one has what the server says.
                throw new RefusedException(e.getNextException() == null ? e : e.getNextException());
            }
            throw e;
        }
    }

    private static InternetAddress recipient(String to) throws RefusedException {
        try {
            var addresses = InternetAddress.parse(to, true);
            if (addresses.length != 1 || to.chars().anyMatch(Character::isISOControl)) {
                throw new AddressException("it is not one address");
            }
            addresses[0].validate();
            return addresses[0];
        } catch (AddressException e) {
            throw new RefusedException(e);
        }
    }

    private static final class Mail extends MimeMessage {
        private final String id;

        Mail(Session session, String id) {
            super(session);
            this.id = id;
        }

        @Override
        protected void updateMessageID() throws MessagingException {
            setHeader("Message-ID", "<" + id + ">");
        }
    }
}
