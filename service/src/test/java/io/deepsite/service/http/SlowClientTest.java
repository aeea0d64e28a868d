package io.deepsite.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nobody holds a connection by saying nothing. */
class SlowClientTest {
    private static final int HANGS = (int) Duration.ofMinutes(5).toMillis();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "GET / HT",
                "GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ",
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf",
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n64\r\nhalf"
            })
    void isCutOffWhenNothingComes(String begun) throws IOException {
        var here = new InetSocketAddress("127.0.0.1", 0);
        try (var server = new HttpServer(here, Optional.empty(), Duration.ofMillis(100))) {
            server.start(
                    URI.create("http://127.0.0.1"),
                    new Router(
                            List.of(Route.post("/", exchange -> exchange.send(200, "text/plain", exchange.body()))),
                            _ -> {},
                            (exchange, failure) -> exchange.send(400, "text/plain", failure.getMessage())));
            try (var socket = new Socket("127.0.0.1", server.port())) {
                socket.setSoTimeout(HANGS);
                socket.getOutputStream().write(begun.getBytes(StandardCharsets.ISO_8859_1));

                // Until the server ends the connection.
                var said = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);

                assertThat(said).doesNotStartWith("HTTP/1.1 200");
            }
        }
    }
}
