package io.deepsite.service;

import io.deepsite.service.http.Exchange;
import io.deepsite.service.http.HttpServer;
import io.deepsite.service.sites.SiteService;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/** What Prometheus asks for. Names no person and no site. */
final class Metrics {
    private final PrometheusRegistry registry = new PrometheusRegistry();

    Metrics(SiteService sites, HttpServer http) {
        GaugeWithCallback.builder()
                .name("deepsite_sites")
                .help("Sites by project and state; of all replicas.")
                .labelNames("project", "state")
                .callback(gauge ->
                        sites.counts().forEach(count -> gauge.call((double) count.number(), count.of(), count.what())))
                .register(registry);
        GaugeWithCallback.builder()
                .name("deepsite_runs")
                .help("Runs by what they do and how they stand or ended; of all replicas.")
                .labelNames("verb", "status")
                .callback(gauge -> sites.runCounts()
                        .forEach(count -> gauge.call((double) count.number(), count.of(), count.what())))
                .register(registry);
        CounterWithCallback.builder()
                .name("deepsite_http_answers_total")
                .help("Answers of this process by the class of their status.")
                .labelNames("status")
                .callback(counter -> http.answered().forEach((status, number) -> counter.call(number, status)))
                .register(registry);
        JvmMetrics.builder().register(registry);
    }

    void send(Exchange exchange) throws IOException {
        var text = new ByteArrayOutputStream();
        var writer = PrometheusTextFormatWriter.create();
        writer.write(text, registry.scrape());
        exchange.send(200, writer.getContentType(), text.toByteArray());
    }
}
