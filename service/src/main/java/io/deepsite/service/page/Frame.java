package io.deepsite.service.page;

import io.deepsite.service.access.Person;
import io.deepsite.service.http.Exchange;
import io.deepsite.service.login.Logins;

/**
 * What every page has.
 *
 * @param person as the page shows the one who is logged in; empty: nobody is
 * @param csrf for the forms of the page
 */
public record Frame(String title, String person, String csrf) {
    static Frame of(Exchange exchange, String title) {
        return new Frame(title, exchange.kept(Person.class).map(Person::name).orElse(""), Logins.csrf(exchange));
    }
}
