package io.deepsite.client.login;

import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.AuthorizationRequest;
import com.nimbusds.oauth2.sdk.AuthorizationResponse;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import io.deepsite.diag.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Somebody logs in with a browser of this machine, which comes back to a port of it. PKCE makes a code worth nothing to
 * others who saw it. Source: RFC 8252.
 */
public final class BrowserFlow {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    /** Of one request: another program may have connected, and say nothing. */
    private static final Duration REQUEST = Duration.ofSeconds(10);

    private static final int LONGEST = 8192;
    private static final String PATH = "/callback";
    private static final Pattern GET =
            Pattern.compile("GET (" + PATH + "\\?[!-~]*) HTTP/1\\.[01]\r?\n.*", Pattern.DOTALL);

    private final IdentityProvider provider;

    public BrowserFlow(IdentityProvider provider) {
        this.provider = provider;
    }

    /**
     * @param port to which the browser returns; 0: any
     * @param show the address, to the person who logs in
     * @throws Failure LOGIN_FAILED, IDENTITY_PROVIDER
     */
    public ProviderTokens tokens(List<String> scopes, int port, Consumer<URI> show) {
        if (provider.metadata().getAuthorizationEndpointURI() == null) {
            throw provider.unusable("it names no page to log in at", null);
        }
        try (var server = new ServerSocket(port, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            var callback = URI.create("http://127.0.0.1:" + server.getLocalPort() + PATH);
            var state = new State();
            var verifier = new CodeVerifier();
            var scope = provider.scope(scopes);
            show.accept(new AuthorizationRequest.Builder(ResponseType.CODE, provider.client())
                    .endpointURI(provider.metadata().getAuthorizationEndpointURI())
                    .redirectionURI(callback)
                    .scope(scope)
                    .state(state)
                    .codeChallenge(verifier, CodeChallengeMethod.S256)
                    .build()
                    .toURI());
            var answer = answered(server, callback, state);
            if (!answer.indicatesSuccess()) {
                var error = answer.toErrorResponse().getErrorObject();
                throw IdentityProvider.failed(
                        "The identity provider answers "
                                + IdentityProvider.words(error.getCode(), error.getDescription()) + ".",
                        "Log in again.");
            }
            var code = answer.toSuccessResponse().getAuthorizationCode();
            if (code == null) {
                throw IdentityProvider.failed("The browser came back without a code.", "Log in again.");
            }
            return provider.tokens(new AuthorizationCodeGrant(code, callback, verifier), null);
        } catch (IdentityProvider.RefusedException e) {
            throw IdentityProvider.failed("The identity provider answers " + e.getMessage() + ".", "Log in again.");
        } catch (SocketTimeoutException e) {
            throw IdentityProvider.failed("No browser came back within five minutes.", "Log in again.");
        } catch (IOException e) {
            throw IdentityProvider.failed(
                    "No port of this machine can wait for the browser: " + e.getMessage() + ".",
                    "Name a free one with --port.");
        }
    }

    /** Waits for the browser; requests that are not its answer, a guessed state among them, are sent away. */
    private AuthorizationResponse answered(ServerSocket server, URI callback, State state) throws IOException {
        var end = provider.clock().instant().plus(PATIENCE);
        while (true) {
            long left = Duration.between(provider.clock().instant(), end).toMillis();
            if (left <= 0) {
                throw new SocketTimeoutException();
            }
            server.setSoTimeout((int) left);
            try (var browser = server.accept()) {
                var answer = read(browser, callback).filter(one -> state.equals(one.getState()));
                tell(browser, answer.isPresent());
                if (answer.isPresent()) {
                    return answer.get();
                }
            }
        }
    }

    private Optional<AuthorizationResponse> read(Socket browser, URI callback) {
        try {
            browser.setSoTimeout((int) REQUEST.toMillis());
            var request = GET.matcher(head(browser.getInputStream()));
            if (!request.matches()) {
                return Optional.empty();
            }
            var answer = AuthorizationResponse.parse(callback.resolve(request.group(1)));
            var issuer = answer.getIssuer();
            // Of another provider. Source: RFC 9207.
            boolean other = issuer != null && !issuer.equals(provider.metadata().getIssuer());
            return other ? Optional.empty() : Optional.of(answer);
        } catch (IOException | ParseException | IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static String head(InputStream in) throws IOException {
        var head = new StringBuilder();
        int next = in.read();
        while (next >= 0 && head.length() < LONGEST && head.indexOf("\r\n\r\n") < 0) {
            head.append((char) next);
            next = head.indexOf("\r\n\r\n") < 0 ? in.read() : -1;
        }
        return head.toString();
    }

    private static void tell(Socket browser, boolean known) {
        var text = known
                ? "The login is done. Close this page, and go on where you began it.\n"
                : "This is not the answer to a login that is being waited for.\n";
        var answer = "HTTP/1.1 " + (known ? "200 OK" : "400 Bad Request")
                + "\r\nContent-Type: text/plain; charset=utf-8\r\nCache-Control: no-store\r\nConnection: close\r\nContent-Length: "
                + text.length() + "\r\n\r\n" + text;
        try {
            browser.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException _) {
            // Whoever has gone reads nothing.
        }
    }
}
