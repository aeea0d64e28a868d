package io.deepsite.service.page;

import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import io.deepsite.service.api.Problems;
import io.deepsite.service.http.Exchange;
import io.deepsite.service.http.ProblemWriter;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Answers a person's browser by a page that says what is wrong, and everybody else as the API does. */
public final class PageProblems implements ProblemWriter {
    private final Problems programs;

    public PageProblems(Problems programs) {
        this.programs = programs;
    }

    @Override
    public void write(Exchange exchange, Failure failure) throws IOException {
        if (!exchange.wantsPage() || exchange.path().startsWith("/v1/")) {
            programs.write(exchange, failure);
            return;
        }
        var code = failure.diagnostics().getFirst().code();
        if (code == Code.NOT_LOGGED_IN && exchange.method().equals("GET")) {
            exchange.redirect("/login?to=" + URLEncoder.encode(exchange.path(), StandardCharsets.UTF_8));
            return;
        }
        PageWriter.send(
                exchange,
                Problems.status(code),
                "problem",
                new ProblemModel(Frame.of(exchange, "It did not work"), failure.diagnostics()));
    }
}
