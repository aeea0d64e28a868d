package io.deepsite.plan;

/** What happens to a resource or item. The sign appears in plans. */
public enum Change {
    CREATE('+'),
    UPDATE('~'),
    REPLACE('±'),
    DELETE('-'),
    /** It stays for its other users, but no longer belongs to the site. */
    RELEASE('>'),
    NONE(' ');

    private final char sign;

    Change(char sign) {
        this.sign = sign;
    }

    public char sign() {
        return sign;
    }
}
