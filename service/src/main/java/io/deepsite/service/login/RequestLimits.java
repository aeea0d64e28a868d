package io.deepsite.service.login;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.service.access.Person;
import io.deepsite.service.http.Exchange;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HexFormat;

/** Counts requests of addresses and people, of the most recent ones only: memory is bounded. */
final class RequestLimits {
    private static final Duration WINDOW = Duration.ofMinutes(1);
    private static final int REMEMBERED = 100_000;
    private static final int NETWORK = 8;

    private final Window addresses;
    private final Window people;
    private final Window logins;
    private final Window refusals;

    RequestLimits(LimitSettings settings, InstantSource clock) {
        addresses = new Window(settings.perAddress(), clock);
        people = new Window(settings.perPerson(), clock);
        logins = new Window(settings.loginsPerAddress(), clock);
        refusals = new Window(settings.loginsPerAddress(), clock);
    }

    /** @throws Failure TOO_MANY_REQUESTS */
    void countRequest(Exchange exchange) {
        addresses.take(network(exchange.from()), exchange);
    }

    /** @throws Failure TOO_MANY_REQUESTS */
    void count(Person person, Exchange exchange) {
        people.take(person.id(), exchange);
    }

    /** @throws Failure TOO_MANY_REQUESTS */
    void countLogin(Exchange exchange) {
        logins.take(network(exchange.from()), exchange);
    }

    /** Of a session or a token. @throws Failure TOO_MANY_REQUESTS */
    void countRefusal(Exchange exchange) {
        refusals.take(network(exchange.from()), exchange);
    }

    /** Whoever has one address of IPv6 has the whole network. */
    static String network(String address) {
        try {
            var parsed = InetAddress.ofLiteral(address);
            return parsed instanceof Inet6Address
                    ? HexFormat.of().formatHex(Arrays.copyOf(parsed.getAddress(), NETWORK))
                    : parsed.getHostAddress();
        } catch (IllegalArgumentException e) {
            return address;
        }
    }

    private record Window(int limit, InstantSource clock, Cache<String, Bucket> buckets) {
        Window(int limit, InstantSource clock) {
            this(
                    limit,
                    clock,
                    CacheBuilder.newBuilder()
                            .maximumSize(REMEMBERED)
                            .expireAfterAccess(WINDOW.multipliedBy(2))
                            .build());
        }

        void take(String key, Exchange exchange) {
            var bucket = buckets.asMap().computeIfAbsent(key, _ -> bucket());
            var probe = bucket.tryConsumeAndReturnRemaining(1);
            if (!probe.isConsumed()) {
                long seconds = Math.max(
                        1,
                        Duration.ofNanos(probe.getNanosToWaitForRefill())
                                .plusMillis(999)
                                .toSeconds());
                exchange.header("Retry-After", Long.toString(seconds));
                throw new Failure(Diagnostic.error(
                        Code.TOO_MANY_REQUESTS,
                        "The limit is " + limit + " in a minute.",
                        "Wait for " + seconds + " s, then try again."));
            }
        }

        private Bucket bucket() {
            return Bucket.builder()
                    .addLimit(bandwidth -> bandwidth.capacity(limit).refillGreedy(limit, WINDOW))
                    .withCustomTimePrecision(new Meter(clock))
                    .build();
        }
    }

    private record Meter(InstantSource clock) implements TimeMeter {
        @Override
        public long currentTimeNanos() {
            var now = clock.instant();
            return Math.addExact(Math.multiplyExact(now.getEpochSecond(), 1_000_000_000L), now.getNano());
        }

        @Override
        public boolean isWallClockBased() {
            return true;
        }
    }
}
