package io.deepsite.openstack;

import io.deepsite.provider.Pause;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import okhttp3.ConnectionPool;
import okhttp3.Dispatcher;
import okhttp3.OkHttpClient;

/** Opens the connection to a cloud: time-outs, pooled connections, trusted certificates. */
final class Connection {
    private static final Duration CONNECT = Duration.ofSeconds(10);
    /** The longest time that a service may send nothing within one answer. */
    private static final Duration READ = Duration.ofMinutes(2);

    private static final int ATTEMPTS = 7;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(60);

    private Connection() {}

    static Cloud open(Credentials credentials) {
        var backoff = new Backoff(ATTEMPTS, FIRST_PAUSE, LONGEST_PAUSE, new SecureRandom());
        var clock = Clock.systemUTC();
        return new Cloud(credentials, new Http(client(credentials), backoff, Pause.REAL, clock, new Requests()), clock);
    }

    static OkHttpClient client(Credentials credentials) {
        var client = new OkHttpClient.Builder()
                .connectTimeout(CONNECT)
                .readTimeout(READ)
                .writeTimeout(READ)
                // A redirect would carry the token to another host.
                .followRedirects(false)
                .followSslRedirects(false)
                .dispatcher(new Dispatcher(Executors.newVirtualThreadPerTaskExecutor()))
                // Short: gateways close idle connections, and a create call on a dead one cannot be repeated.
                .connectionPool(new ConnectionPool(16, 4, TimeUnit.SECONDS))
                .addInterceptor(chain -> chain.proceed(chain.request()
                        .newBuilder()
                        .header("User-Agent", "deepsite")
                        .build()));
        if (credentials.authority().isPresent() || credentials.client().isPresent()) {
            var identity = new TlsIdentity(new Faults(credentials.origin()));
            var trusted = identity.trusted(credentials.authority());
            client.sslSocketFactory(identity.sockets(credentials.client(), trusted), trusted);
        }
        return client.build();
    }
}
