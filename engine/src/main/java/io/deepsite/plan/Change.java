package io.deepsite.plan;

/** What happens to a thing. The sign is what people see. */
public enum Change {
    CREATE('+'),
    UPDATE('~'),
    REPLACE('±'),
    DELETE('-'),
    /** It stays for others who use it, and is the site's no more. */
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
