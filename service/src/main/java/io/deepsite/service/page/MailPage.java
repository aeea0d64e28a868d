package io.deepsite.service.page;

import io.deepsite.service.http.Exchange;
import io.deepsite.service.http.Route;
import io.deepsite.service.login.Logins;
import io.deepsite.service.mail.Mailboxes;
import java.io.IOException;
import java.util.List;

/** The form by which somebody switches mails about sites on and off. */
public final class MailPage {
    private final Mailboxes mailboxes;

    public MailPage(Mailboxes mailboxes) {
        this.mailboxes = mailboxes;
    }

    public List<Route> routes() {
        return List.of(Route.post("/mail", this::choose));
    }

    private void choose(Exchange exchange) throws IOException {
        mailboxes.want(
                Logins.required(exchange),
                exchange.form().getOrDefault("wanted", "").equals("true"));
        exchange.redirect("/#mail");
    }
}
