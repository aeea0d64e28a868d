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
 * The address of an LXD daemon, and a client for it.
 *
 * @param base prefix of all paths
 */
record Endpoint(OkHttpClient client, HttpUrl base) {
    private static final Duration CONNECT = Duration.ofSeconds(5);
    /** LXD answers some requests, such as making a pool or deleting a volume, only when the work is done. */
    private static final Duration READ = Duration.ofMinutes(2);

    static Endpoint of(DaemonSettings settings, Path folder) {
        return settings.endpoint().startsWith("unix://")
                ? unix(Path.of(settings.endpoint().substring("unix://".length())))
                : https(settings, folder);
    }

    private static Endpoint unix(Path socket) {
        var client = anyClient()
                .socketFactory(new UnixSocket.Factory(socket))
                // Otherwise the client reads all certificate authorities of the system, and uses none.
                .connectionSpecs(List.of(ConnectionSpec.CLEARTEXT))
                // No DNS: the socket's path is the address.
                .dns(_ -> List.of(InetAddress.getLoopbackAddress()))
                .build();
        return new Endpoint(client, HttpUrl.get("http://lxd/"));
    }

    private static Endpoint https(DaemonSettings settings, Path folder) {
        var identity = ClientIdentity.read(settings, folder);
        var client = anyClient()
                .sslSocketFactory(identity.context().getSocketFactory(), identity.pin())
                // The certificate itself is pinned, so the name in it does not matter.
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
