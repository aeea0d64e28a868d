package io.deepsite.apply;

import io.deepsite.state.SecretKind;

/**
 * The kind of a secret follows from its name: {@code …_password} is typed into configuration files, {@code …_ssh_key}
 * is a key pair, {@code …_uuid} a UUID, all others are random bytes.
 */
public final class SecretNames {
    private static final int KEY_BYTES = 96;
    private static final int PASSWORD_LENGTH = 32;

    private SecretNames() {}

    public static SecretKind kind(String name) {
        if (name.endsWith("_ssh_key")) {
            return new SecretKind.SshKeyPair(name);
        }
        if (name.endsWith("_uuid")) {
            return new SecretKind.Uuid();
        }
        return name.endsWith("_password")
                ? new SecretKind.Password(PASSWORD_LENGTH)
                : new SecretKind.RandomBytes(KEY_BYTES);
    }
}
