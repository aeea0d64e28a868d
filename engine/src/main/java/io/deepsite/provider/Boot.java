package io.deepsite.provider;

import java.util.List;

/** Files that a machine has before its first start: its SSH host key, the keys that may log in. Empty for other kinds. */
public record Boot(List<BootFile> files) {
    public static final Boot NONE = new Boot(List.of());

    public Boot {
        files = List.copyOf(files);
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
