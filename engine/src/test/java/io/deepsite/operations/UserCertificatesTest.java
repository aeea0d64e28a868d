package io.deepsite.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.cluster.SiteStages;
import io.deepsite.site.Name;
import io.deepsite.state.RecordedHost;
import io.deepsite.state.RecordedRole;
import io.deepsite.state.SiteState;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Which hosts accept a user's certificate; the rest is tested by the command line. */
class UserCertificatesTest {
    private static final Name ALICE = new Name("alice");

    @Test
    void hostsThatHoldBothRolesAcceptIt() {
        assertThat(accepting(host("root").withRole(SiteStages.CERTIFICATES_ROLE, role("{}"))))
                .isTrue();
        assertThat(accepting(host("root"))).isFalse();
    }

    @Test
    void aHostWithoutTheAccountDoesNot() {
        var host = host("root").withoutRole("site_users").withRole(SiteStages.CERTIFICATES_ROLE, role("{}"));

        assertThat(accepting(host)).isFalse();
        assertThat(accepting(host.withFormerUsers(new TreeMap<>(Map.of("alice", 2001)))))
                .isFalse();
    }

    /** There the role leaves the account of this name alone. */
    @Test
    void aHostWhereDeepsiteLogsInByThatNameDoesNot() {
        assertThat(accepting(host("alice").withRole(SiteStages.CERTIFICATES_ROLE, role("{}"))))
                .isFalse();
    }

    private static boolean accepting(RecordedHost host) {
        var state = SiteState.fresh("lab", "1.0").withHost("head", host);
        return UserCertificates.accepting(state, ALICE).containsKey("head");
    }

    private static RecordedHost host(String login) {
        return new RecordedHost("10.0.0.2", 22, login, null, new TreeMap<>())
                .withRole(
                        "site_users", role("{\"items\": [{\"type\": \"user\", \"name\": \"alice\", \"uid\": 2001}]}"));
    }

    private static RecordedRole role(String contract) {
        return new RecordedRole("site.x", List.of(), "f", new JsonMapper().readTree(contract), List.of());
    }
}
