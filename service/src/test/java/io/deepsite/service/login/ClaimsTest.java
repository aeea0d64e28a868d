package io.deepsite.service.login;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClaimsTest {
    private static Claims claims(String groupsClaim, Map<String, Object> claims) {
        return new Claims(
                new LoginSettings(
                        "https://iam.example.org",
                        "deepsite",
                        Optional.empty(),
                        List.of(),
                        groupsClaim,
                        "name",
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        false),
                claims);
    }

    private static List<String> groups(String groupsClaim, Map<String, Object> claims) {
        var all = new HashMap<>(claims);
        all.put("sub", "4711");
        return claims(groupsClaim, all)
                .person("https://iam.example.org")
                .orElseThrow()
                .groups();
    }

    @Test
    void groupsAreAListOrOne() {
        assertThat(groups("groups", Map.of("groups", List.of("/lab", "/lab", "/course"))))
                .containsExactly("/lab", "/course");
        assertThat(groups("groups", Map.of("groups", "/lab"))).containsExactly("/lab");
        assertThat(groups("groups", Map.of())).isEmpty();
        assertThat(groups("groups", Map.of("groups", List.of(1, Map.of("a", "b"), "/lab"))))
                .containsExactly("/lab");
    }

    @Test
    void groupsMayBeInsideOfOtherClaims() {
        assertThat(groups("/realm_access/roles", Map.of("realm_access", Map.of("roles", List.of("lab")))))
                .containsExactly("lab");
        assertThat(groups("/realm_access/roles", Map.of("realm_access", "lab"))).isEmpty();
        assertThat(groups("/realm_access/roles", Map.of("/realm_access/roles", List.of("lab"))))
                .isEmpty();
    }

    @Test
    void aClaimMayHaveANameWithDotsOrAUrl() {
        assertThat(groups("wlcg.groups", Map.of("wlcg.groups", List.of("/lab"))))
                .containsExactly("/lab");
        assertThat(groups("https://example.org/groups", Map.of("https://example.org/groups", List.of("lab"))))
                .containsExactly("lab");
    }

    @Test
    void showsTheNameThatThereIs() {
        assertThat(name(Map.of("sub", "1", "name", "Ada", "preferred_username", "ada")))
                .isEqualTo("Ada");
        assertThat(name(Map.of("sub", "1", "name", " ", "preferred_username", "ada")))
                .isEqualTo("ada");
        assertThat(name(Map.of("sub", "1", "email", "ada@example.org"))).isEqualTo("ada@example.org");
        assertThat(name(Map.of("sub", "1"))).isEqualTo("1");
        assertThat(name(Map.of("sub", "1", "name", "a\u001b[31m\u202eb" + "x".repeat(300))))
                .startsWith("a?[31m?b")
                .hasSizeLessThan(210);
    }

    private static String name(Map<String, Object> claims) {
        return claims("groups", claims)
                .person("https://iam.example.org")
                .orElseThrow()
                .name();
    }

    @Test
    void anAddressThatIsNotVerifiedIsNotKnown() {
        var known = Map.<String, Object>of("sub", "1", "email", "ada@example.org", "email_verified", true);
        var word = Map.<String, Object>of("sub", "1", "email", "ada@example.org", "email_verified", "true");
        var other = Map.<String, Object>of("sub", "1", "email", "ada@example.org", "email_verified", false);
        var silent = Map.<String, Object>of("sub", "1", "email", "ada@example.org");

        assertThat(claims("groups", known).person("x").orElseThrow().email()).contains("ada@example.org");
        assertThat(claims("groups", word).person("x").orElseThrow().email()).contains("ada@example.org");
        assertThat(claims("groups", other).person("x").orElseThrow().email()).isEmpty();
        assertThat(claims("groups", silent).person("x").orElseThrow().email()).isEmpty();
    }

    @Test
    void aProviderMayBeTrustedWithAddressesThatItDoesNotCallVerified() {
        var trusting = new LoginSettings(
                "https://iam.example.org",
                "deepsite",
                Optional.empty(),
                List.of(),
                "groups",
                "name",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                true);
        var silent = Map.<String, Object>of("sub", "1", "email", "ada@example.org");

        assertThat(new Claims(trusting, silent).person("x").orElseThrow().email())
                .contains("ada@example.org");
    }

    @Test
    void nobodyHasASubjectThatTablesCannotHold() {
        assertThat(claims("groups", Map.of("sub", "a\nb")).person("x")).isEmpty();
        assertThat(claims("groups", Map.of("sub", "a".repeat(256))).person("x")).isEmpty();
        assertThat(claims("groups", Map.of("sub", " ")).person("x")).isEmpty();
        assertThat(claims("groups", Map.of()).person("x")).isEmpty();
    }
}
