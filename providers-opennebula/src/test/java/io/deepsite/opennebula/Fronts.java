package io.deepsite.opennebula;

import io.deepsite.opennebula.oca.Client;
import io.deepsite.opennebula.oca.Session;
import io.deepsite.provider.Design;
import io.deepsite.provider.ExampleSite;
import io.deepsite.provider.Pause;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Tags.Scope.OneSite;
import io.deepsite.site.Site;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** Providers and clients with a stand-in. Their clock advances only when they wait. */
final class Fronts {
    private static final String ORIGIN = "/home/alice/.one/one_auth";

    private Fronts() {}

    /** A clock that pauses advance. */
    static final class Time implements InstantSource, Pause {
        private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-22T01:00:00Z"));

        @Override
        public Instant instant() {
            return now.get();
        }

        @Override
        public void of(Duration duration) {
            now.updateAndGet(before -> before.plus(duration));
        }
    }

    static OpenNebulaProvider provider(StandIn front, OpenNebulaSettings settings) {
        var time = new Time();
        return new OpenNebulaProvider(settings, connection(front), time, time);
    }

    static OpenNebulaProvider provider(StandIn front, Site site) {
        return provider(front, (OpenNebulaSettings) site.provider());
    }

    static Connection connection(StandIn front) {
        return new Connection(front.url(), Session.parse(StandIn.SESSION), ORIGIN, Optional.empty());
    }

    /** @param reply longest wait for a reply */
    static Client client(StandIn front, Duration reply) {
        return new Client(
                front.url(), Session.parse(StandIn.SESSION), Optional.empty(), Duration.ofHours(1), reply, new Time());
    }

    /** @param opennebula the value of {@code provider.opennebula}, in YAML's flow style */
    static Site site(String opennebula, String machines) {
        return ExampleSite.read("""
                        apiVersion: deepsite/v1
                        site: lab
                        provider: {opennebula: %s}
                        machines: %s
                        """.formatted(opennebula, machines), new OpenNebulaProviderFactory());
    }

    static Design compile(StandIn front, Site site) {
        return provider(front, site).survey(new OneSite(site.name())).compile(site, Requirements.NONE);
    }
}
