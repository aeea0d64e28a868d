package io.deepsite.client.users;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import io.deepsite.users.SourceUser;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ScimUsersTest {
    private static final String BLOB = "AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f";

    private final MockWebServer server = new MockWebServer();
    private final IamScim iam = new IamScim();

    @BeforeEach
    void start() throws IOException {
        server.setDispatcher(iam);
        server.start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private List<SourceUser> all(String token) {
        try (var scim = new ScimUsers("http://127.0.0.1:" + server.getPort() + "/scim", token, Optional.empty())) {
            return scim.all();
        }
    }

    private Failure refused() {
        return catchThrowableOfType(Failure.class, () -> all(IamScim.TOKEN));
    }

    private static void assertCode(Failure failure, Code code) {
        assertThat(failure.diagnostics()).extracting(one -> one.code()).containsExactly(code);
    }

    @Test
    void readsWhatIamSaysOfAUser() {
        iam.add("alice", true, List.of("physics", "physics/atlas"), List.of("ssh-ed25519 " + BLOB + " a", BLOB));
        iam.add("bob", false, List.of(), List.of());

        assertThat(all(IamScim.TOKEN))
                .containsExactly(
                        new SourceUser(
                                "alice",
                                Optional.of("00000000-0000-0000-0000-000000000001"),
                                Optional.of("alice Example"),
                                List.of("physics", "physics/atlas"),
                                List.of("ssh-ed25519 " + BLOB + " a", "ssh-ed25519 " + BLOB),
                                Optional.empty(),
                                true),
                        new SourceUser(
                                "bob",
                                Optional.of("00000000-0000-0000-0000-000000000002"),
                                Optional.of("bob Example"),
                                List.of(),
                                List.of(),
                                Optional.empty(),
                                false));
    }

    @Test
    void readsEveryPage() {
        for (int i = 0; i < 250; i++) {
            iam.add("user" + i, true, List.of(), List.of());
        }

        assertThat(all(IamScim.TOKEN)).hasSize(250).doesNotHaveDuplicates();
        assertThat(iam.asked)
                .containsExactly(
                        "/scim/Users?startIndex=1&count=100",
                        "/scim/Users?startIndex=101&count=100",
                        "/scim/Users?startIndex=201&count=100");
    }

    @Test
    void aUserTwiceMeansThatAnotherIsMissing() {
        iam.users.add(iam.add("alice", true, List.of(), List.of()));

        assertCode(refused(), Code.USERS_INCOMPLETE);
    }

    @Test
    void aPageThatEndsTooEarlyIsNoEndOfTheList() {
        answers("{\"totalResults\": 3, \"Resources\": []}");

        assertCode(refused(), Code.USERS_INCOMPLETE);
    }

    @Test
    void aTokenThatMayNotListIsNamedAndNotShown() {
        var failure = catchThrowableOfType(Failure.class, () -> all("another-token"));

        assertCode(failure, Code.TOKEN_REFUSED);
        assertThat(failure.diagnostics().getFirst().toString())
                .contains("scim:read", "invalid_token")
                .doesNotContain("another-token");
    }

    @Test
    void whatIsNoScimIsRefused() {
        answers("<html>");
        assertCode(refused(), Code.IDENTITY_PROVIDER);
        answers("{\"hello\": 1}");
        assertCode(refused(), Code.IDENTITY_PROVIDER);
        answers("{\"totalResults\": 1, \"Resources\": [{\"id\": \"1\"}]}");
        assertCode(refused(), Code.IDENTITY_PROVIDER);
    }

    @Test
    void aRedirectGetsNoToken() {
        server.setDispatcher(new mockwebserver3.QueueDispatcher());
        server.enqueue(new MockResponse(302, okhttp3.Headers.of(Map.of("Location", "https://elsewhere.example")), ""));

        assertCode(refused(), Code.IDENTITY_PROVIDER);
        assertThat(server.getRequestCount()).isOne();
    }

    @Test
    void aTokenTravelsOverHttpsOnly() {
        var failure = catchThrowableOfType(
                Failure.class, () -> new ScimUsers("http://iam.example.org/scim", "token", Optional.empty()));

        assertCode(failure, Code.SERVICE_ADDRESS);
    }

    private void answers(String body) {
        server.setDispatcher(new mockwebserver3.QueueDispatcher());
        server.enqueue(new MockResponse(200, okhttp3.Headers.of(Map.of()), body));
    }
}
