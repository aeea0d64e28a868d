package io.deepsite.service.login;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReturnPathTest {
    @ParameterizedTest
    @ValueSource(strings = {"/", "/sites/abc", "/sites?project=lab&title=a%20b", "/%2F%2Fevil.example.org", "/a//b"})
    void isAPathOfTheService(String path) {
        assertThat(ReturnPath.of(Optional.of(path))).isEqualTo(path);
    }

    /** As the query of the address says after it is decoded. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "//evil.example.org",
                "///evil.example.org",
                "/\\evil.example.org",
                "\\\\evil.example.org",
                "/\t/evil.example.org",
                "/\n/evil.example.org",
                "/sites\r\nSet-Cookie: a=b",
                "https://evil.example.org",
                "https:evil.example.org",
                "javascript:alert(1)",
                "evil.example.org",
                " //evil.example.org",
                "",
                "/sites#fragment",
                "/sites/\u00e4",
                "/login",
                "/login/callback?code=x",
                "/logged-out",
            })
    void isNoOther(String path) {
        assertThat(ReturnPath.of(Optional.of(path))).isEqualTo("/");
    }

    @Test
    void isTheStartWhereNoneIsAsked() {
        assertThat(ReturnPath.of(Optional.empty())).isEqualTo("/");
    }
}
