package io.deepsite.cli;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** A minimal HTTP server on a unix socket, with keep-alive: the JDK has none. */
final class UnixHttp implements AutoCloseable {
    /** @param path decoded, without the query */
    record Asked(String method, String path, String query, byte[] body) {
        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    record Answer(int status, String body) {}

    private final ServerSocketChannel server;
    private final Path socket;
    private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();

    UnixHttp(Path socket, Function<Asked, Answer> answers) throws IOException {
        this.socket = socket;
        this.server = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(socket));
        Thread.ofVirtual().start(() -> accept(answers));
    }

    private void accept(Function<Asked, Answer> answers) {
        try {
            while (true) {
                var client = server.accept();
                open.add(client);
                Thread.ofVirtual().start(() -> serve(client, answers));
            }
        } catch (IOException e) {
            return; // closed
        }
    }

    private void serve(SocketChannel client, Function<Asked, Answer> answers) {
        try (client) {
            var in = new BufferedInputStream(Channels.newInputStream(client));
            var out = Channels.newOutputStream(client);
            for (var asked = read(in); asked != null; asked = read(in)) {
                write(out, answers.apply(asked));
            }
        } catch (IOException e) {
            // The client disconnected, or the server was closed: both happen in the tests.
            return;
        } finally {
            open.remove(client);
        }
    }

    private static @org.jspecify.annotations.Nullable Asked read(InputStream in) throws IOException {
        var first = line(in);
        if (first.isEmpty()) {
            return null;
        }
        int length = 0;
        for (var header = line(in); !header.isEmpty(); header = line(in)) {
            if (header.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(
                        header.substring(header.indexOf(':') + 1).strip());
            }
        }
        var words = first.split(" ");
        var uri = URI.create("http://lxd" + words[1]);
        return new Asked(words[0], uri.getPath(), uri.getQuery() == null ? "" : uri.getQuery(), in.readNBytes(length));
    }

    /** A line without its line break; empty also at the end of the stream. */
    private static String line(InputStream in) throws IOException {
        var line = new ByteArrayOutputStream();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            if (next != '\r') {
                line.write(next);
            }
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    private static void write(OutputStream out, Answer answer) throws IOException {
        var body = answer.body().getBytes(StandardCharsets.UTF_8);
        var head = "HTTP/1.1 " + answer.status() + " x\r\nContent-Type: application/json\r\nETag: e\r\nContent-Length: "
                + body.length + "\r\n\r\n";
        var whole = new ByteArrayOutputStream();
        whole.write(head.getBytes(StandardCharsets.US_ASCII));
        whole.write(body);
        out.write(whole.toByteArray());
        out.flush();
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (var client : open) {
            client.close();
        }
        Files.deleteIfExists(socket);
    }
}
