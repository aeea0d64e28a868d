package io.deepsite.openstack;

import io.deepsite.provider.Pause;
import io.deepsite.state.CrashPoint;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/** Sends requests to a cloud, again where {@link Backoff} allows it. Answers are read whole. Thread-safe. */
final class Http implements AutoCloseable {
    private final OkHttpClient client;
    private final Backoff backoff;
    private final Pause pause;
    private final Clock clock;
    private final Requests requests;

    Http(OkHttpClient client, Backoff backoff, Pause pause, Clock clock, Requests requests) {
        this.client = client;
        this.backoff = backoff;
        this.pause = pause;
        this.clock = clock;
        this.requests = requests;
    }

    /** @throws IOException when there is no answer */
    Answer send(Request request) throws IOException {
        if (!isChange(request)) {
            return sent(request);
        }
        CrashPoint.pass("request.before");
        var answer = sent(request);
        CrashPoint.pass("request.after");
        return answer;
    }

    /** A request for a token changes nothing of a site. */
    private static boolean isChange(Request request) {
        return !request.method().equals("GET") && !request.url().encodedPath().endsWith("/auth/tokens");
    }

    private Answer sent(Request request) throws IOException {
        for (int attempt = 1; ; attempt++) {
            Optional<Duration> rest;
            try {
                var answer = once(request);
                rest = backoff.afterStatus(
                        request.method(), answer.status(), attempt, answer.header("Retry-After"), clock.instant());
                if (rest.isEmpty() || isOneShot(request)) {
                    return answer;
                }
            } catch (IOException fault) {
                rest = isOneShot(request)
                        ? Optional.empty()
                        : backoff.afterFault(request.method(), reached(fault), attempt);
                // No answer to the very first request is not temporary: the user gave a wrong address.
                if (rest.isEmpty() || requests.count() == 0) {
                    throw fault;
                }
            }
            pause.of(rest.get());
        }
    }

    Requests requests() {
        return requests;
    }

    private Answer once(Request request) throws IOException {
        var begin = clock.instant();
        try (Response response = client.newCall(request).execute()) {
            var answer = new Answer(
                    response.code(),
                    response.message(),
                    response.headers(),
                    response.body().bytes(),
                    Answer.describe(request));
            requests.sent(new Sent(
                    request.method(),
                    Answer.plain(request.url()),
                    answer.status(),
                    answer.requestId(),
                    Duration.between(begin, clock.instant())));
            return answer;
        }
    }

    private static boolean reached(IOException fault) {
        return !(fault instanceof ConnectException) && !(fault instanceof UnknownHostException);
    }

    /** A stream that was read once, such as an image. */
    private static boolean isOneShot(Request request) {
        return request.body() instanceof StreamBody;
    }

    @Override
    public void close() {
        client.dispatcher().executorService().shutdown();
        client.connectionPool().evictAll();
    }
}
