package io.deepsite.opennebula.oca;

import io.deepsite.state.Secret;

/**
 * The user who calls: the first argument of every call.
 *
 * @param user without the password, for messages
 * @param text {@code user:password}, or {@code user:token}
 */
public record Session(String user, Secret text) {

    /** @throws IllegalArgumentException if it is not {@code user:password}; the message does not quote it */
    public static Session parse(String text) {
        int colon = text.indexOf(':');
        if (colon < 1 || colon == text.length() - 1) {
            throw new IllegalArgumentException("it is not user:password");
        }
        if (text.chars().anyMatch(Character::isWhitespace)) {
            throw new IllegalArgumentException("it holds more than one word");
        }
        return new Session(text.substring(0, colon), Secret.of(text));
    }
}
