package io.deepsite.cli;

import io.deepsite.apply.Event;
import io.deepsite.cli.view.ProgressView;
import io.deepsite.client.EventReader;
import io.deepsite.client.OrderedSite;
import io.deepsite.client.RemoteFaults;
import io.deepsite.client.Sites;
import io.deepsite.diag.Failure;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Shows what a service does with a site, as a run of this process is shown, until it rests. A ^C stops it there. */
final class Following {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final CommandContext at;
    private final DeepsiteCommand command;
    private final AtService service;

    Following(CommandContext at, DeepsiteCommand command, AtService service) {
        this.at = at;
        this.command = command;
        this.service = service;
    }

    /** @return the site once nothing works on it any more */
    OrderedSite untilItRests(OrderedSite site) {
        try (var progress = new ProgressDisplay(at, command, Map.of())) {
            var cancel = progress.cancel();
            cancel.listenFirst(() -> cancel(site, progress.events()));
            cancel.listen(() -> cancel(site, progress.events()));
            var watcher = new Watcher(site, progress.events());
            service.events().follow(site.id(), site.lastEvent(), watcher);
            return watcher.site;
        }
    }

    /** A site that has come to rest meanwhile is not stopped. */
    private void cancel(OrderedSite site, ProgressView view) {
        try {
            service.sites().cancel(site);
        } catch (Failure e) {
            view.accept(new Event.Notice(e.diagnostics().getFirst().why()));
        }
    }

    private final class Watcher implements EventReader.Listener {
        private final ProgressView view;
        private final Sites sites = service.sites();
        private OrderedSite site;
        private String told = "";

        Watcher(OrderedSite site, ProgressView view) {
            this.site = site;
            this.view = view;
        }

        @Override
        public boolean happened(JsonNode event) {
            switch (event.path("event").asString("")) {
                case "run", "asked" -> {
                    return quiet();
                }
                case "notice" -> notice(event);
                default -> read(event).ifPresent(view);
            }
            return true;
        }

        @Override
        public boolean quiet() {
            site = sites.site(site.id());
            if (site.status().equals("waiting")) {
                tell(waiting());
            }
            return site.moves();
        }

        private String waiting() {
            return site.startsAt().isAfter(at.clock().instant())
                    ? "It waits for its time, " + site.startsAt() + "."
                    : "It waits for the quota of " + site.project()
                            + site.place()
                                    .map(place -> ", place " + place + " in the queue")
                                    .orElse("") + ".";
        }

        private void tell(String words) {
            if (!words.equals(told)) {
                told = words;
                view.accept(new Event.Notice(words));
            }
        }

        private void notice(JsonNode event) {
            if (event.has("code")) {
                at.notice(RemoteFaults.one(event));
            } else {
                view.accept(new Event.Notice(event.path("text").asString("")));
            }
        }
    }

    /** Nothing, for what another deepsite tells. */
    static Optional<Event> read(JsonNode event) {
        try {
            return Optional.of(JSON.treeToValue(event, Event.class));
        } catch (JacksonException _) {
            return Optional.empty();
        }
    }
}
