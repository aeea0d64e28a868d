package io.deepsite.service.login;

import java.util.Optional;
import java.util.regex.Pattern;

/** Where a browser goes after its login: a path of this service, never another site. */
final class ReturnPath {
    private static final String START = "/";
    /** As it is sent, encoded. Browsers read a second slash or a backslash as the begin of a host, and skip control characters. */
    private static final Pattern OWN = Pattern.compile("/(?!/)[A-Za-z0-9._~!$&'()*+,;=:@/?%\\[\\]-]{0,2000}");

    private ReturnPath() {}

    static String of(Optional<String> asked) {
        return asked.filter(path -> OWN.matcher(path).matches())
                .filter(path -> !path.startsWith("/login") && !path.startsWith("/logged-out"))
                .orElse(START);
    }
}
