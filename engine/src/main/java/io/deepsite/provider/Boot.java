package io.deepsite.provider;

import java.util.List;
import java.util.Optional;

/**
 * Files that a machine has before its first start: its SSH host key, the keys that may log in. For other kinds the latter
 * alone: a back-end may keep login keys as a resource of their own.
 */
public record Boot(List<BootFile> files) {
    public static final Boot NONE = new Boot(List.of());
    /** The file of the keys that may log in. */
    public static final String LOGIN_KEYS = "/root/.ssh/authorized_keys";

    public Boot {
        files = List.copyOf(files);
    }

    /** Public keys in OpenSSH's form, one a line. */
    public Optional<String> loginKeys() {
        return files.stream()
                .filter(file -> file.path().equals(LOGIN_KEYS))
                .findFirst()
                .map(BootFile::content);
    }

    /**
     * Owned by root. Its content may be secret: it never shows in a text form.
     *
     * @param mode such as 0600
     */
    public record BootFile(String path, int mode, String content) {
        @Override
        public String toString() {
            return path;
        }
    }
}
