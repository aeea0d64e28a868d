package io.deepsite.service.page;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import io.deepsite.service.http.Exchange;
import java.io.IOException;

/** Fills in the templates of {@code src/main/jte}; everything is escaped for where it stands. */
final class PageWriter {
    private static final TemplateEngine ENGINE = TemplateEngine.createPrecompiled(ContentType.Html);

    private PageWriter() {}

    static void send(Exchange exchange, int status, String template, Object model) throws IOException {
        var page = new StringOutput();
        ENGINE.render(template + ".jte", model, page);
        exchange.send(status, "text/html; charset=utf-8", page.toString());
    }
}
