package io.deepsite.state;

/** The key of ansible-vault files, and its source. */
public final class VaultKey {
    private final String password;
    private final String source;

    private VaultKey(String password, String source) {
        this.password = password;
        this.source = source;
    }

    /**
     * @param content of a key file; white space at both ends is not part of the key, as in Ansible
     * @param source for diagnostics, usually the path of the key file
     */
    public static VaultKey of(String content, String source) {
        var password = content.strip();
        if (password.isEmpty()) {
            throw new IllegalArgumentException("a vault key is never empty");
        }
        return new VaultKey(password, source);
    }

    public String source() {
        return source;
    }

    String reveal() {
        return password;
    }

    @Override
    public String toString() {
        return "*** (" + source + ")";
    }
}
