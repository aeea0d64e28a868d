package io.deepsite.service.api;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.service.access.Person;
import io.deepsite.service.http.Exchange;
import io.deepsite.service.login.Logins;
import io.deepsite.service.mail.Mailboxes;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Whether somebody gets mails about sites. */
final class MailOperations {
    private static final String MAIL = "/v1/mail";

    private final Optional<Mailboxes> mailboxes;

    /** @param mailboxes empty: this service sends no mail */
    MailOperations(Optional<Mailboxes> mailboxes) {
        this.mailboxes = mailboxes;
    }

    List<Operation> all() {
        return List.of(
                Operation.get(
                        MAIL,
                        "getMail",
                        "Where the caller gets mails about sites, and whether.",
                        Bodies.MailView.class,
                        List.of(),
                        this::mail),
                new Operation(
                        "PUT",
                        MAIL,
                        "setMail",
                        "Switches mails about sites on or off. They go to the address that the caller's login or token has.",
                        List.of(),
                        Optional.of(Bodies.MailChoice.class),
                        200,
                        Optional.of(Bodies.MailView.class),
                        this::choose));
    }

    private void mail(Exchange exchange) throws IOException {
        send(exchange, mailboxes().of(Logins.required(exchange).id()));
    }

    private void choose(Exchange exchange) throws IOException {
        var wanted = ApiJson.read(exchange, Bodies.MailChoice.class).wanted();
        Person person = Logins.required(exchange);
        send(exchange, mailboxes().want(person, Requests.given(wanted, "wanted")));
    }

    private Mailboxes mailboxes() {
        return mailboxes.orElseThrow(() -> new Failure(Diagnostic.error(
                Code.NOT_FOUND, "This service sends no mail.", "Its administrator sets mail in service.yaml.")));
    }

    private static void send(Exchange exchange, Mailboxes.Mailbox mailbox) throws IOException {
        ApiJson.send(exchange, 200, new Bodies.MailView(mailbox.address(), mailbox.wanted()));
    }
}
