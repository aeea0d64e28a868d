package io.deepsite.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.deepsite.site.load.Golden;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people read when a service cannot be used. */
class FaultsAtAServiceTest {
    @TempDir
    private Path folder;

    private ServiceInMemory service;
    private Person alice;

    @BeforeEach
    void start() throws IOException {
        service = new ServiceInMemory(folder.resolve("service"), "");
        alice = new Person(folder);
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private void logsIn() {
        assertThat(alice.types("login", service.url(), "--name", "alice", "--group", "biologists"))
                .isZero();
    }

    private void reads(String name, int exit, String... words) {
        assertThat(alice.types(words)).as(alice.err).isEqualTo(exit);
        assertThat(alice.err).contains(" " + Golden.code(name) + ": ");
        Golden.assertSame(
                FaultGoldenTest.CASES.resolve(name).resolve("stderr.txt"),
                alice.err
                        .replaceAll("http://127\\.0\\.0\\.1:\\d+", "http://127.0.0.1:8440")
                        .replaceAll("127\\.0\\.0\\.1:\\d+", "127.0.0.1:8440")
                        .replace(folder.toString(), "/home/alice"));
    }

    @Test
    void anAddressWithoutTls() {
        reads("at-a-service/DS8130-no-https", 2, "login", "http://clusters.example.org");
    }

    @Test
    void aServiceThatDoesNotRun() {
        logsIn();
        service.close();

        reads("at-a-service/DS8131-nobody-listens", 6, "sites");
    }

    @Test
    void aServerOfSomethingElse() throws IOException {
        var other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        other.createContext("/", exchange -> {
            try (exchange) {
                var page = "<html>It works!</html>".getBytes(StandardCharsets.US_ASCII);
                exchange.sendResponseHeaders(200, page.length);
                exchange.getResponseBody().write(page);
            }
        });
        other.start();
        try {
            reads(
                    "at-a-service/DS8132-another-server",
                    1,
                    "login",
                    "http://127.0.0.1:" + other.getAddress().getPort());
        } finally {
            other.stop(0);
        }
    }

    @Test
    void aVerbOfSitesHere() {
        reads("at-a-service/DS8133-drift", 2, "drift", "--service", service.url());
    }

    @Test
    void aLoginThatTheServiceDoesNotHave() {
        reads("at-a-service/DS8134-test-login-only", 1, "login", service.url());
    }

    @Test
    void aFileOfLoginsForAll() throws IOException {
        logsIn();
        Files.setPosixFilePermissions(
                folder.resolve(".config/deepsite/logins.json"), PosixFilePermissions.fromString("rw-r--r--"));

        reads("at-a-service/DS8135-readable-by-others", 2, "sites");
    }
}
