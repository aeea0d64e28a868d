package io.deepsite.service.api;

import io.deepsite.service.catalogue.Amounts;
import io.deepsite.service.sites.Quota;
import io.deepsite.service.sites.ShareRow;
import io.deepsite.site.Parameter;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import tools.jackson.databind.JsonNode;

/** What requests and answers of the API hold. Times are RFC 3339 in UTC, memory is in bytes. */
public final class Bodies {
    private Bodies() {}

    /**
     * One of template and siteYaml.
     *
     * @param template of the catalogue
     * @param siteYaml a whole site.yaml, where the project lets members hand one in; its name is replaced
     * @param title for people; by default that of the template
     * @param parameters by name; those left out have their defaults
     * @param startsAt not before; by default now
     */
    public record Order(
            String project,
            Optional<String> template,
            Optional<String> siteYaml,
            Optional<String> title,
            Optional<Map<String, String>> parameters,
            Optional<Instant> startsAt) {}

    public record CostQuestion(String project, Optional<Map<String, String>> parameters) {}

    /** @param waits whether the site may wait for quota; else it is refused if there is none now */
    public record Confirmation(Optional<Boolean> waits) {}

    /** @param parameters values by name; those left out stay as they are */
    public record ResizeOrder(Map<String, String> parameters) {}

    /** @param person the name or the id of a member of the project who was here before */
    public record ShareQuestion(String person) {}

    public record ShareList(List<ShareView> shares) {}

    /** @param account on the site's machines; absent: the site gives none */
    public record ShareView(
            String id, String person, String name, Optional<String> account, String sharedBy, Instant sharedAt) {
        static ShareView of(ShareRow share) {
            return new ShareView(
                    share.id(),
                    share.person(),
                    share.personName(),
                    share.account(),
                    share.sharedBy(),
                    share.sharedAt());
        }
    }

    /**
     * @param project in which the site is to be ordered: its administrator decides on provider and images
     * @param tosca a template in YAML
     * @param inputs values of its inputs, by name
     */
    public record ToscaQuestion(String project, String tosca, Optional<Map<String, String>> inputs) {}

    /**
     * @param siteYaml to be ordered as it is, or changed first
     * @param extent how much of the template it has: fully or partly
     * @param left what is not in it as the template has it
     */
    public record ToscaAnswer(String siteYaml, String extent, List<LeftView> left) {}

    /**
     * @param what of the template
     * @param line in the template; 0 if it is in no one place
     * @param lost whether the site lacks it; else it does the same in another way
     */
    public record LeftView(String what, int line, String why, boolean lost) {}

    /** @param extend by how long: 2h */
    public record LeaseChange(String extend) {}

    /** @param key the line of a .pub file */
    public record CertificateQuestion(String key) {}

    /**
     * How somebody logs in.
     *
     * @param certificate the line of a -cert.pub file
     * @param hosts addresses by name
     * @param knownHosts lines of a known_hosts file
     */
    public record Certificate(
            String certificate, String account, Instant until, SortedMap<String, String> hosts, String knownHosts) {}

    /**
     * How the command line and other programs that somebody runs log in.
     *
     * @param provider absent: there is none
     * @param testLogin whether programs on the machine of the service get a token by a name
     */
    public record LoginWays(Optional<ProviderLogin> provider, boolean testLogin) {}

    /**
     * By OpenID Connect.
     *
     * @param clientId of the command line, a client without a secret; absent: the provider knows none
     * @param audience of tokens that were not made for this client
     */
    public record ProviderLogin(String issuer, Optional<String> clientId, List<String> scopes, String audience) {}

    /** Who sends the request. */
    public record Caller(String name, String issuer, String subject, Optional<String> email, List<String> groups) {}

    public record ProjectList(List<ProjectUse> projects) {}

    /** @param role of the caller: user, manager or administrator */
    public record ProjectUse(String name, String role, List<Share> usage) {}

    /**
     * @param name sites, machines, cpus, memory, gpus or gpuHours
     * @param asked by the order in question
     * @param limit absent: there is none
     */
    public record Share(String name, long used, long asked, Optional<Long> limit, boolean fits) {
        static List<Share> of(List<Quota.Share> shares) {
            return shares.stream()
                    .map(share -> new Share(share.name(), share.used(), share.asked(), share.limit(), share.fits()))
                    .toList();
        }
    }

    public record Cost(List<Share> shares, boolean fits) {}

    public record TemplateList(List<TemplateView> templates) {}

    /** @param lease of a site for which nothing is set */
    public record TemplateView(
            String id,
            String title,
            String description,
            Map<String, ParameterView> parameters,
            Amounts usual,
            Optional<String> lease,
            Optional<String> picture) {}

    /** @param type string, integer, boolean, size or time */
    public record ParameterView(
            String type,
            Optional<String> defaultValue,
            Optional<String> description,
            Optional<String> min,
            Optional<String> max,
            List<String> choices) {
        static ParameterView of(Parameter parameter) {
            return new ParameterView(
                    parameter.type(),
                    parameter.defaultValue(),
                    parameter.description(),
                    parameter.min(),
                    parameter.max(),
                    parameter.choices());
        }
    }

    /** @param next what to give as before for the next page; absent: this is the last */
    public record SiteList(List<SiteView> sites, Optional<String> next) {}

    /**
     * @param status planning, planned, waiting, building, ready, failed, deleting or deleted
     * @param resize parameters that a resize is to bring; absent: none is going on
     * @param built whether it has been ready once; it is usable from then on
     * @param lastEvent number of its last event, for Last-Event-ID
     * @param amounts what it counts for in the quota, with elastic machines that are there
     * @param elastic machines that are there while jobs need them
     * @param place in the queue of its project
     * @param secondsLeft of the run, by the time that former ones took
     * @param runs the latest first
     */
    public record SiteView(
            String id,
            String name,
            String title,
            String project,
            String owner,
            Optional<String> template,
            SortedMap<String, String> parameters,
            Optional<SortedMap<String, String>> resize,
            String status,
            boolean built,
            long version,
            long lastEvent,
            Amounts amounts,
            List<String> elastic,
            Instant createdAt,
            Instant startsAt,
            Optional<Instant> endsAt,
            Optional<Integer> place,
            Optional<Long> secondsLeft,
            List<RunView> runs) {}

    /**
     * @param verb plan, apply or delete
     * @param status queued, running, done, failed or cancelled
     * @param result of a plan its steps; of an apply the addresses of hosts and the checks of the proof
     * @param faults diagnostics: code, why, fix
     */
    public record RunView(
            String id,
            String verb,
            String status,
            String askedBy,
            Instant askedAt,
            Optional<Instant> begunAt,
            Optional<Instant> endedAt,
            int steps,
            int stepsDone,
            Optional<JsonNode> result,
            Optional<JsonNode> faults) {}

    /** @param next what to give as before for the next page */
    public record AuditPage(List<AuditEntry> entries, Optional<Long> next) {}

    public record AuditEntry(
            long seq, Instant at, String who, String from, String action, Optional<String> site, String detail) {}

    public record SecretList(List<SecretEntry> secrets) {}

    /** @param shownAt when its owner saw it; absent: not yet */
    public record SecretEntry(String name, Optional<Instant> shownAt) {}

    public record SecretValue(String name, String value) {}

    /** @param wanted whether the caller wants mails about sites */
    public record MailChoice(Boolean wanted) {}

    /** @param address that mails go to; absent: the identity provider gave none that it verified */
    public record MailView(Optional<String> address, boolean wanted) {}

    /** RFC 9457, with the code and the advice of deepsite. */
    public record Problem(
            String type, String title, int status, String detail, String code, List<JsonNode> diagnostics) {}
}
