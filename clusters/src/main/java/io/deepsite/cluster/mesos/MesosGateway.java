package io.deepsite.cluster.mesos;

import io.deepsite.cluster.LocalFile;
import io.deepsite.cluster.SiteStages;
import io.deepsite.provider.Machine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The gateway of a Mesos cluster for users of an identity provider: the back-end of each path. */
record MesosGateway(MesosLayout layout, MesosOidc oidc) {
    private static final String ADMIN = "admin_password";

    /** Variables of the role oidc_proxy. */
    Map<String, Object> proxy() {
        var variables = new LinkedHashMap<String, Object>();
        variables.put("oidc_proxy_url", oidc.url());
        variables.put("oidc_proxy_host", oidc.host());
        variables.put("oidc_proxy_port", oidc.port());
        variables.put("oidc_proxy_issuer", oidc.issuer());
        variables.put("oidc_proxy_configuration", oidc.configuration());
        variables.put("oidc_proxy_jwks", oidc.jwks());
        variables.put("oidc_proxy_client", oidc.clientId());
        variables.put("oidc_proxy_scopes", oidc.allScopes());
        variables.put("oidc_proxy_user_claim", oidc.usernameClaim());
        variables.put("oidc_proxy_groups_claim", oidc.groupsPath());
        variables.put("oidc_proxy_users", oidc.users());
        variables.put("oidc_proxy_groups", oidc.groups());
        variables.put("oidc_proxy_ca", ca());
        variables.put(
                "oidc_proxy_certificate",
                oidc.certificate().map(MesosOidc.Certificate::file).orElse(""));
        variables.put(
                "oidc_proxy_key",
                oidc.certificate().map(MesosOidc.Certificate::key).orElse(""));
        variables.put("oidc_proxy_secrets", layout.ofSecrets());
        variables.put("oidc_proxy_backends", backends());
        variables.put("oidc_proxy_places", places());
        return variables;
    }

    /** What the masters need to test it. */
    Map<String, Object> asked() {
        return Map.of(
                "url", oidc.url(),
                "configuration", oidc.configuration(),
                "scopes", oidc.allScopes(),
                "client", oidc.clientId(),
                "user", oidc.acceptance().orElse(""),
                "ca", ca(),
                "own_certificate", oidc.certificate().isEmpty());
    }

    private String ca() {
        return oidc.caFile().map(LocalFile::read).orElse("");
    }

    /**
     * A server behind the gateway with a password of its own.
     *
     * @param password the secret's name without its prefix
     */
    private record Backend(String name, String user, String password, List<String> addresses, int port) {
        Map<String, Object> variables() {
            return Map.of("name", name, "password", password, "addresses", addresses, "port", port);
        }

        /** @param to the path on the back-end */
        Map<String, Object> place(String path, String to, boolean web, boolean readOnly) {
            var place = new LinkedHashMap<String, Object>();
            place.put("path", path);
            place.put("backend", name);
            place.put("user", user);
            place.put("to", to);
            place.put("addresses", addresses);
            place.put("port", port);
            place.put("web", web);
            place.put("read_only", readOnly);
            return place;
        }

        Map<String, Object> web(String path) {
            return place(path, "", true, false);
        }

        Map<String, Object> api(String path) {
            return place(path, "", false, false);
        }
    }

    private Backend masters() {
        return new Backend("mesos", "admin", ADMIN, layout.addresses(), MesosLayout.MASTER_PORT);
    }

    private Optional<Backend> marathon() {
        return layout.hasMarathon()
                ? Optional.of(new Backend(
                        "marathon",
                        "marathon",
                        "marathon_http_password",
                        layout.addresses(),
                        MesosLayout.MARATHON_PORT))
                : Optional.empty();
    }

    private Optional<Backend> chronos() {
        return layout.hasChronos()
                ? Optional.of(new Backend(
                        "chronos", "chronos", "chronos_http_password", layout.addresses(), MesosLayout.CHRONOS_PORT))
                : Optional.empty();
    }

    private static Backend agent(Machine machine) {
        return new Backend(
                "agent-" + machine.name(),
                "admin",
                ADMIN,
                List.of(SiteStages.address(machine)),
                MesosLayout.AGENT_PORT);
    }

    private List<Map<String, Object>> backends() {
        return Stream.of(
                        Stream.of(masters()),
                        marathon().stream(),
                        chronos().stream(),
                        layout.agents().stream().map(MesosGateway::agent))
                .flatMap(each -> each)
                .map(Backend::variables)
                .toList();
    }

    /** The paths of each back-end; masters have a second one for programs, and agents serve the output of tasks. */
    private List<Map<String, Object>> places() {
        var places = new ArrayList<Map<String, Object>>();
        places.add(masters().web("mesos/"));
        places.add(masters().api("mesos-api/"));
        marathon().ifPresent(marathon -> {
            places.add(marathon.web("marathon-web/"));
            places.add(marathon.api("marathon/"));
        });
        chronos().ifPresent(chronos -> {
            places.add(chronos.web("chronos-web/"));
            places.add(chronos.api("chronos/"));
        });
        for (var machine : layout.agents()) {
            var path = "agents/" + machine.name() + "/";
            places.add(agent(machine).place(path + "state", "state", false, true));
            places.add(agent(machine).place(path + "files/", "files/", false, true));
        }
        return places;
    }
}
