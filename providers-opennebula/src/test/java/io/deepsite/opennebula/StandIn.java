package io.deepsite.opennebula;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.deepsite.opennebula.StandInCalls.NotTaken;
import io.deepsite.provider.Provider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A stand-in for OpenNebula's oned: it serves the documented XML-RPC over real HTTP, accepts only the documented arguments,
 * and keeps objects over a restart. It runs nothing, and does only what is documented: it shows that deepsite follows the
 * documentation, not that OpenNebula does.
 */
public final class StandIn implements AutoCloseable {
    public static final String SESSION = "alice:secret-of-alice";

    /** Ways in which one request fails. */
    public enum Mishap {
        /** No answer for as long as the server lives. */
        SLOW,
        /** The connection ends in the middle of the answer. */
        CUT,
        /** The connection ends before the answer; the request took effect. */
        DROPPED,
        ONE_PART,
        TWO_PARTS,
        TEXT_FOR_NUMBER,
        DOCTYPE_OUTSIDE,
        DOCTYPE_INSIDE,
        NOT_XML_RPC,
        /** The answer of a release that expects other arguments. */
        OTHER_ARGUMENTS,
        HTTP_502
    }

    private static final String HOSTILE =
            "<!DOCTYPE x [<!ENTITY file SYSTEM \"file:///etc/passwd\">]><VM_POOL><VM><NAME>&file;</NAME></VM></VM_POOL>";

    private static final String PATH = "/RPC2";

    private final StandInCloud cloud;
    private final StandInCalls calls = StandInCalls.read();
    private final Queue<String> sent = new ConcurrentLinkedQueue<>();
    private final Deque<Mishap> mishaps = new ArrayDeque<>();
    private final Map<String, Mishap> byMethod = new ConcurrentHashMap<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final ReadWriteLock answering = new ReentrantReadWriteLock();
    private final @Nullable SSLContext tls;
    private @Nullable HttpServer server;
    private @Nullable ExecutorService threads;

    private StandIn(StandInCloud cloud, @Nullable SSLContext tls) {
        this.cloud = cloud;
        this.tls = tls;
    }

    /** @param file where it keeps its objects; an existing one is loaded */
    public static StandIn start(String version, Path file) {
        return start(version, file, null);
    }

    static StandIn start(String version, Path file, @Nullable SSLContext tls) {
        var standIn = new StandIn(StandInCloud.open(version, file), tls);
        standIn.listen(0);
        return standIn;
    }

    private void listen(int port) {
        try {
            var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            HttpServer fresh;
            if (tls == null) {
                fresh = HttpServer.create(address, 0);
            } else {
                var secure = HttpsServer.create(address, 0);
                secure.setHttpsConfigurator(new HttpsConfigurator(tls));
                fresh = secure;
            }
            threads = Executors.newVirtualThreadPerTaskExecutor();
            fresh.setExecutor(threads);
            fresh.createContext(PATH, this::answer);
            fresh.start();
            server = fresh;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public URI url() {
        if (server == null) {
            throw new IllegalStateException("it does not listen");
        }
        int port = server.getAddress().getPort();
        return URI.create((tls == null ? "http" : "https") + "://localhost:" + port + PATH);
    }

    /** Machines run at the first request: for tests with the real clock. */
    public StandIn startingAtOnce() {
        cloud.vms().atOnce();
        return this;
    }

    /** Adds a network with this many addresses, from the first one on. */
    public StandIn withNetwork(String name, String first, int addresses) {
        cloud.network(name, first, addresses);
        return this;
    }

    public StandIn withImage(String name) {
        var image = cloud.add("image", name);
        image.fields.put("STATE", "1");
        image.fields.put("SIZE", "2048");
        cloud.write();
        return this;
    }

    /** A provider for it, with a stopped clock. */
    public Provider provider(OpenNebulaSettings settings) {
        return Fronts.provider(this, settings);
    }

    /** All objects, as kind and name. */
    public List<String> things() {
        return cloud.things();
    }

    /** Objects of a kind, such as {@code vm}, by name. */
    public List<String> names(String kind) {
        return cloud.all(kind).values().stream()
                .map(thing -> thing.name)
                .sorted()
                .toList();
    }

    /** Adds a duplicate, as a request that was sent twice does. @return the ids of both */
    public List<Integer> twin(String kind, String name) {
        var first = cloud.named(kind, name);
        var second = cloud.add(kind, name);
        second.fields.putAll(first.fields);
        second.template.addAll(first.template);
        second.userTemplate.addAll(first.userTemplate);
        return List.of(first.id, second.id);
    }

    /** Deletes an object, as another client would. */
    public void remove(String kind, int id) {
        cloud.all(kind).remove(id);
    }

    StandInCloud cloud() {
        return cloud;
    }

    /** The called methods in order, without arguments. */
    public List<String> sent() {
        return List.copyOf(sent);
    }

    public void forgetSent() {
        sent.clear();
    }

    synchronized StandIn next(Mishap... these) {
        mishaps.addAll(List.of(these));
        return this;
    }

    /** Fails the next request of this method. */
    StandIn on(String method, Mishap mishap) {
        byMethod.put(method, mishap);
        return this;
    }

    /**
     * Restarts, as after a kill, on the same port with the stored objects. The port stays open meanwhile: once closed, any
     * connection of this machine may get it.
     */
    public StandIn restart(Path file) {
        if (server == null) {
            throw new IllegalStateException("it does not listen");
        }
        server.removeContext(PATH);
        ended.countDown();
        // A request in progress still stores its change.
        answering.writeLock().lock();
        answering.writeLock().unlock();
        var next = new StandIn(StandInCloud.open(cloud.version(), file), tls);
        server.createContext(PATH, next::answer);
        next.server = server;
        next.threads = threads;
        server = null;
        threads = null;
        return next;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            var request = exchange.getRequestBody().readAllBytes();
            var text = new String(request, StandardCharsets.UTF_8);
            var mishap = mishap(text);
            var reply = changed(text, mishap);
            if (reply.isEmpty()) {
                return;
            }
            if (mishap == Mishap.SLOW) {
                ended.await();
                return;
            }
            if (mishap == Mishap.DROPPED) {
                return;
            }
            if (mishap == Mishap.HTTP_502) {
                exchange.sendResponseHeaders(502, -1);
                return;
            }
            var bytes = reply.get().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/xml; charset=utf-8");
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes, 0, mishap == Mishap.CUT ? bytes.length / 2 : bytes.length);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Empty once it has ended. */
    private Optional<String> changed(String request, @Nullable Mishap mishap) {
        answering.readLock().lock();
        try {
            return ended.getCount() == 0 ? Optional.empty() : Optional.of(reply(request, mishap));
        } finally {
            answering.readLock().unlock();
        }
    }

    private synchronized @Nullable Mishap mishap(String request) {
        var asked = byMethod.keySet().stream()
                .filter(method -> request.contains("<methodName>" + method + "</methodName>"))
                .findFirst();
        return asked.isPresent() ? byMethod.remove(asked.get()) : mishaps.poll();
    }

    private String reply(String request, @Nullable Mishap mishap) {
        StandInCalls.Call call;
        try {
            call = calls.parse(request, cloud.version());
        } catch (NotTaken e) {
            sent.add(e.method());
            return StandInCalls.fault(e.fault(), e.said());
        }
        sent.add(call.method());
        if (mishap == Mishap.SLOW || mishap == Mishap.HTTP_502) {
            return "";
        }
        if (mishap == Mishap.NOT_XML_RPC) {
            return "<html><body>It works!</body></html>";
        }
        if (mishap == Mishap.OTHER_ARGUMENTS) {
            return StandInCalls.fault(-501, "Number of parameters is wrong");
        }
        if (mishap == Mishap.DOCTYPE_INSIDE) {
            return StandInCalls.done(HOSTILE);
        }
        if (mishap == Mishap.DOCTYPE_OUTSIDE) {
            return "<?xml version=\"1.0\"?><!DOCTYPE methodResponse [<!ENTITY file SYSTEM \"file:///etc/passwd\">]>"
                    + StandInCalls.done("&file;")
                            .replaceFirst("<\\?xml[^>]*>", "")
                            .replace("&amp;file;", "&file;");
        }
        if (mishap == Mishap.ONE_PART || mishap == Mishap.TWO_PARTS) {
            return StandInCalls.array(mishap == Mishap.ONE_PART ? List.of(true) : List.of(true, "7"));
        }
        if (mishap == Mishap.TEXT_FOR_NUMBER) {
            return StandInCalls.array(List.of(true, "seven", 0));
        }
        return StandInCalls.array(cloud.run(call));
    }

    @Override
    public void close() {
        ended.countDown();
        if (server != null) {
            server.stop(0);
        }
        if (threads != null) {
            // A request in progress still stores its change.
            threads.close();
        }
    }
}
