package io.deepsite.lxd;

import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import okhttp3.ConnectionPool;
import okhttp3.ConnectionSpec;
import okhttp3.Dispatcher;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;

/**
 * Where an LXD daemon listens, and a client that gets there.
 *
 * @param base what all paths are appended to
 */
record Endpoint(OkHttpClient client, HttpUrl base) {
    private static final Duration CONNECT = Duration.ofSeconds(5);
    /** Longest silence of LXD in one answer: making a pool or deleting a volume is answered when it is done. */
    private static final Duration READ = Duration.ofMinutes(2);

    static Endpoint of(LxdSettings settings, Path folder) {
        return settings.endpoint().startsWith("unix://")
                ? unix(Path.of(settings.endpoint().substring("unix://".length())))
                : https(settings, folder);
    }

    private static Endpoint unix(Path socket) {
        var client = anyClient()
                .socketFactory(new UnixSocket.Factory(socket))
                // Else the client reads all authorities of the system, to ask none of them.
                .connectionSpecs(List.of(ConnectionSpec.CLEARTEXT))
                // Nothing is looked up: the socket's path is the address.
                .dns(_ -> List.of(InetAddress.getLoopbackAddress()))
                .build();
        return new Endpoint(client, HttpUrl.get("http://lxd/"));
    }

    private static Endpoint https(LxdSettings settings, Path folder) {
        var identity = ClientIdentity.read(settings, folder);
        var client = anyClient()
                .sslSocketFactory(identity.context().getSocketFactory(), identity.pin())
                // The certificate itself is pinned: the name in it says nothing more.
                .hostnameVerifier((_, session) -> identity.pin().isPeer(session))
                .build();
        return new Endpoint(client, HttpUrl.get(settings.endpoint()));
    }

    private static OkHttpClient.Builder anyClient() {
        return new OkHttpClient.Builder()
                .connectTimeout(CONNECT)
                .readTimeout(READ)
                .writeTimeout(READ)
                .dispatcher(new Dispatcher(Executors.newVirtualThreadPerTaskExecutor()))
                // Short, because a unix socket does not keep read timeouts: OkHttp uses one to test connections that
                // were idle for longer than 10 s.
                .connectionPool(new ConnectionPool(16, 5, TimeUnit.SECONDS));
    }
}
