package io.deepsite.service;

import io.deepsite.service.login.LimitSettings;
import io.deepsite.service.login.LoginSettings;
import io.deepsite.service.mail.MailSettings;
import io.deepsite.site.Cidr;
import io.deepsite.site.Key;
import io.deepsite.site.Name;
import io.deepsite.site.OtherKeys;
import io.deepsite.site.Span;
import io.deepsite.site.WebAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What {@code service.yaml} says. */
public record ServiceSettings(
        @Key(
                value = "Address and port on which it listens.",
                defaultValue = "127.0.0.1:8440",
                example = "0.0.0.0:8440",
                pattern = ADDRESS)
        String listen,

        @Key(
                value = "Address by which browsers see the service, where that is another than the one it listens on.",
                example = "https://clusters.example.org")
        Optional<WebAddress> url,

        @Key(
                value =
                        "Whether a proxy before the service, and nobody else, reaches it: then its headers say where a request came from.",
                defaultValue = "false")
        boolean proxied,

        @Key(
                value =
                        "With proxied: further proxies, between the client and the one that reaches the service, by network. The first address of X-Forwarded-For from the right that is none of them is the client's.",
                example = "[192.0.2.0/24]",
                requires = @OtherKeys("proxied"))
        List<Cidr> proxies,

        @Key(
                value =
                        "Where it writes a line of JSON for each request: a file (a full path), or stderr. Without it there are none.",
                example = "/var/log/deepsite/access.log",
                pattern = "stderr|/[^\\p{Cntrl}]+")
        Optional<String> accessLog,

        @Key(
                value = "Form of the other lines that it logs, on standard error.",
                defaultValue = "text",
                choices = {"text", "json"})
        String log,

        @Key(
                value =
                        "Address and port for Prometheus, which asks for /metrics there without a login. Without it there are no metrics.",
                example = "127.0.0.1:9440",
                pattern = ADDRESS)
        Optional<String> metrics,

        @Key(
                value =
                        "Database of the service and of the records of its sites, which all replicas share. Without it both are files in the folder, for one process.",
                example = "postgresql://deepsite@db.example.org/deepsite")
        Optional<String> database,

        @Key(
                value =
                        "What the service keeps on this machine: its tables and the records of its sites, if there is no database, and the files of runs. Relative to the folder of service.yaml.",
                defaultValue = ".deepsite/service",
                example = "/var/lib/deepsite",
                pattern = "[^\\p{Cntrl}]+")
        String folder,

        @Key(
                value = "Folder of the templates, relative to that of service.yaml.",
                defaultValue = "catalogue",
                example = "/etc/deepsite/catalogue",
                pattern = "[^\\p{Cntrl}]+")
        String catalogue,

        @Key(value = "Runs that one process works on at once.", defaultValue = "4", example = "8", min = 1, max = 64)
        int workers,

        @Key(
                value =
                        "Hosts that one process of Ansible configures at most, where replicas share a database: those that a run needs more work on any of them.",
                defaultValue = "25",
                example = "50",
                min = 1,
                max = 500)
        int hostsPerProcess,

        @Key("How people log in. Needed, but for the test login.")
        Optional<LoginSettings> login,

        @Key("By which server it sends mail to those who ordered sites. Without it there is none.")
        Optional<MailSettings> mail,

        @Key(
                value =
                        "How long before the end of a lease its owner is warned, on its page and by mail. By default 24h and 1h.",
                example = "[2d, 2h]")
        List<Span> leaseWarnings,

        @Key("How much one client may ask.") LimitSettings limits,

        @Key(value = "Groups whose members administer the service.", example = "[/lab/admins]")
        List<String> administrators,

        @Key(value = "Projects, whose members order sites, by name.", required = true)
        Map<Name, ProjectSettings> projects) {

    static final String ADDRESS = "[A-Za-z0-9.-]+:[0-9]{1,5}|\\[[0-9a-f:]+]:[0-9]{1,5}";

    public ServiceSettings {
        leaseWarnings =
                leaseWarnings.isEmpty() ? List.of(Span.parse("24h"), Span.parse("1h")) : List.copyOf(leaseWarnings);
        proxies = List.copyOf(proxies);
        administrators = List.copyOf(administrators);
        projects = Map.copyOf(projects);
    }
}
