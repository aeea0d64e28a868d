package io.deepsite.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class OpenIdTest {
    @Test
    void aSlashAtTheEndOfTheIssuerIsNotDoubled() {
        assertThat(OpenId.configuration("https://iam.example.org/"))
                .isEqualTo("https://iam.example.org/.well-known/openid-configuration");
        assertThat(OpenId.configuration("https://iam.example.org/realms/lab"))
                .isEqualTo("https://iam.example.org/realms/lab/.well-known/openid-configuration");
    }

    @Test
    void asksForWhatTheClaimsNeed() {
        assertThat(OpenId.scopes(List.of(), List.of("sub", "groups"))).containsExactly("openid");
        assertThat(OpenId.scopes(List.of(), List.of("preferred_username", "wlcg.groups")))
                .containsExactly("openid", "profile", "wlcg.groups");
        assertThat(OpenId.scopes(List.of(), List.of("email", "eduperson_entitlement")))
                .containsExactly("openid", "eduperson_entitlement", "email");
        assertThat(OpenId.scopes(List.of(), List.of("/address/region"))).containsExactly("openid", "address");
    }

    @Test
    void scopesOfTheSiteAreAskedForAsTheyAre() {
        assertThat(OpenId.scopes(List.of("email", "wlcg.groups:/cms"), List.of("preferred_username")))
                .containsExactly("openid", "email", "wlcg.groups:/cms");
        assertThat(OpenId.scopes(List.of("email", "openid"), List.of())).containsExactly("openid", "email");
    }

    @Test
    void onlyAPathIsInsideOfOtherClaims() {
        assertThat(OpenId.keys("/realm_access/roles")).containsExactly("realm_access", "roles");
        assertThat(OpenId.keys("wlcg.groups")).containsExactly("wlcg.groups");
        assertThat(OpenId.keys("https://example.org/groups")).containsExactly("https://example.org/groups");
    }
}
