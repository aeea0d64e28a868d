package io.deepsite.service.page;

import io.deepsite.service.http.Exchange;
import io.deepsite.service.http.Route;
import io.deepsite.text.Palette;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What pages load: a style sheet of our own and htmx, which a library brings. */
public final class PageFiles {
    /** Of all of them; open to everybody. */
    public static final String PATH = "/static/";

    private static final String WEBJARS = "/META-INF/resources/webjars/";

    private record File(String resource, String type) {}

    private static final Map<String, File> FILES = Map.of(
            "style.css", new File("/io/deepsite/service/page/style.css", "text/css; charset=utf-8"),
            "icon.svg", new File("/io/deepsite/service/page/icon.svg", "image/svg+xml"),
            "htmx.js", new File(WEBJARS + "htmx.org/2.0.8/dist/htmx.min.js", "text/javascript; charset=utf-8"),
            "htmx-sse.js", new File(WEBJARS + "htmx-ext-sse/2.2.2/sse.js", "text/javascript; charset=utf-8"));

    private PageFiles() {}

    public static List<Route> routes() {
        return FILES.entrySet().stream()
                .map(file -> Route.get(PATH + file.getKey(), exchange -> send(exchange, file.getValue())))
                .toList();
    }

    private static void send(Exchange exchange, File file) throws IOException {
        try (var content = Objects.requireNonNull(
                PageFiles.class.getResourceAsStream(file.resource()), () -> file.resource() + " is missing")) {
            exchange.header("Cache-Control", "public, max-age=3600");
            var text = new String(content.readAllBytes(), StandardCharsets.UTF_8);
            exchange.send(200, file.type(), file.type().startsWith("text/css") ? Palette.CSS + text : text);
        }
    }
}
