package io.deepsite.openstack;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import okhttp3.ConnectionPool;
import okhttp3.Dispatcher;
import okhttp3.OkHttpClient;

/** The way to a cloud: time-outs, pooled connections, whom to trust. */
final class Connection {
    private static final Duration CONNECT = Duration.ofSeconds(10);
    /** Longest silence of a service within one answer. */
    private static final Duration READ = Duration.ofMinutes(2);

    private static final int ATTEMPTS = 7;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(60);

    private Connection() {}

    static Cloud open(Credentials credentials) {
        var backoff = new Backoff(ATTEMPTS, FIRST_PAUSE, LONGEST_PAUSE, new SecureRandom());
        var clock = Clock.systemUTC();
        return new Cloud(
                credentials, new Http(client(credentials), backoff, Thread::sleep, clock, new Requests()), clock);
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
        credentials.authority().ifPresent(file -> trust(client, file, new Faults(credentials.origin())));
        return client.build();
    }

    private static void trust(OkHttpClient.Builder client, Path file, Faults faults) {
        try (InputStream pem = Files.newInputStream(file)) {
            var store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int number = 0;
            for (var certificate : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
                store.setCertificateEntry("authority-" + number++, certificate);
            }
            if (number == 0) {
                throw new GeneralSecurityException("it holds no certificate");
            }
            var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(store);
            var manager = (X509TrustManager) managers.getTrustManagers()[0];
            var context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {manager}, null);
            client.sslSocketFactory(context.getSocketFactory(), manager);
        } catch (IOException | GeneralSecurityException e) {
            throw faults.unusable(
                    "The authority's certificate " + file + " cannot be used: " + e.getMessage() + ".",
                    "Name a file with certificates in PEM as cacert, or in OS_CACERT.");
        }
    }
}
