package io.deepsite.service.page;

import io.deepsite.service.mail.Mailboxes;
import java.util.List;
import java.util.Optional;

/**
 * The first page: what somebody has, may order, and may use.
 *
 * @param mail empty: this service sends none
 */
public record HomeModel(Frame frame, List<ProjectPart> projects, Optional<Mailboxes.Mailbox> mail) {

    /** @param own where a site.yaml is handed in; empty: the person may not */
    public record ProjectPart(
            String name, String role, List<Use> usage, List<Card> templates, Optional<String> own, List<Line> sites) {}

    /** @param percent of the limit; empty: there is none */
    public record Use(String name, String words, Optional<Integer> percent) {}

    public record Card(String link, String title, String description, Optional<String> picture, String takes) {}

    public record Line(String link, String title, String status, String badge, String owner, String ends) {}
}
