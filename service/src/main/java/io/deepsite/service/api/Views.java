package io.deepsite.service.api;

import io.deepsite.operations.UserCertificates;
import io.deepsite.service.catalogue.Template;
import io.deepsite.service.sites.Resize;
import io.deepsite.service.sites.RunRow;
import io.deepsite.service.sites.SiteRow;
import io.deepsite.service.sites.SiteService;
import io.deepsite.site.Span;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** Turns what the service knows into what the API gives. */
public final class Views {
    private Views() {}

    static Bodies.SiteView of(SiteService.View view) {
        return of(
                view.site(),
                view.place(),
                view.left(),
                view.runs().stream().map(Views::of).toList());
    }

    static Bodies.SiteView of(SiteRow site) {
        return of(site, Optional.empty(), Optional.empty(), List.of());
    }

    private static Bodies.SiteView of(
            SiteRow site, Optional<Integer> place, Optional<Duration> left, List<Bodies.RunView> runs) {
        return new Bodies.SiteView(
                site.id(),
                site.name(),
                site.title(),
                site.project(),
                site.ownerName(),
                site.template(),
                site.parameters(),
                site.resize().map(Resize::parameters),
                site.status().word(),
                site.built(),
                site.version(),
                site.lastEvent(),
                site.amounts(),
                site.isUsable() ? site.elastic() : List.of(),
                site.createdAt(),
                site.startsAt(),
                site.endsAt(),
                place,
                left.map(Duration::toSeconds),
                runs);
    }

    private static Bodies.RunView of(RunRow run) {
        return new Bodies.RunView(
                run.id(),
                run.verb().word(),
                run.status().word(),
                run.askedBy(),
                run.askedAt(),
                run.begunAt(),
                run.endedAt(),
                run.steps(),
                run.stepsDone(),
                run.result().map(ApiJson::tree),
                run.faults().map(ApiJson::tree));
    }

    /** @param account for which it was signed */
    public static Bodies.Certificate of(UserCertificates.Signed signed, String account) {
        var hosts = new TreeMap<String, String>();
        var known = new StringBuilder();
        signed.hosts().forEach((name, host) -> {
            hosts.put(name, host.address());
            var key = host.hostKey();
            if (key != null) {
                known.append(host.address()).append(' ').append(key).append('\n');
            }
        });
        return new Bodies.Certificate(signed.text(), account, signed.until(), hosts, known.toString());
    }

    static Bodies.TemplateView of(Template template) {
        var parameters = new LinkedHashMap<String, Bodies.ParameterView>();
        template.parameters()
                .forEach((name, parameter) -> parameters.put(name.value(), Bodies.ParameterView.of(parameter)));
        return new Bodies.TemplateView(
                template.id().value(),
                template.text().title(),
                template.text().description(),
                parameters,
                template.usual(),
                template.lease().map(Span::toString),
                template.picture().map(_ -> "/v1/catalogue/" + template.id() + "/picture"));
    }
}
