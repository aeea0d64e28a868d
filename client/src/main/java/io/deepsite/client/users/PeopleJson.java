package io.deepsite.client.users;

import io.deepsite.users.SourceUser;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * A person as JSON: a user of SCIM (RFC 7643; keys as INDIGO IAM 1.12 gives them), claims of OpenID Connect, or the keys of
 * a file that an administrator wrote.
 */
final class PeopleJson {
    static final String INDIGO = "urn:indigo-dc:scim:schemas:IndigoUser";

    private static final List<String> LOGINS = List.of("userName", "preferred_username", "login");
    private static final List<String> IDS = List.of("id", "sub");
    /** Whichever the provider releases; wlcg.groups is of WLCG's token profile, the next two are of AARC. */
    private static final List<String> GROUPS =
            List.of("groups", "wlcg.groups", "eduperson_entitlement", "entitlements", "eduPersonEntitlement");

    private static final List<String> KEYS = List.of("keys", "ssh_keys", "sshPublicKeys", "ssh_public_key");

    private PeopleJson() {}

    /** @throws IllegalArgumentException saying what it lacks, in a sentence */
    static SourceUser of(JsonNode person) {
        var login = first(person, LOGINS)
                .orElseThrow(
                        () -> new IllegalArgumentException("A user has no userName, preferred_username or login."));
        var uid = person.path("uid");
        if (!uid.isMissingNode() && !uid.isNull() && !uid.isInt()) {
            throw new IllegalArgumentException("The uid of " + login + " is no whole number.");
        }
        return new SourceUser(
                login,
                first(person, IDS),
                name(person),
                groups(person),
                keys(person),
                uid.isInt() ? Optional.of(uid.intValue()) : Optional.empty(),
                person.path("active").asBoolean(true));
    }

    private static Optional<String> first(JsonNode person, List<String> names) {
        return names.stream()
                .map(name -> person.path(name).asString(""))
                .filter(text -> !text.isBlank())
                .findFirst();
    }

    private static Optional<String> name(JsonNode person) {
        var name = person.path("name");
        var parts = name.isObject()
                ? Stream.of("givenName", "familyName")
                        .map(part -> name.path(part).asString(""))
                : Stream.of(name.asString(""));
        var text = String.join(" ", parts.filter(part -> !part.isBlank()).toList());
        return Optional.of(text).filter(found -> !found.isBlank());
    }

    private static List<String> groups(JsonNode person) {
        Set<String> groups = new LinkedHashSet<>();
        GROUPS.forEach(claim -> values(person.path(claim)).forEach(value -> {
            var text = value.isObject()
                    ? value.path("display").asString(value.path("value").asString(""))
                    : value.asString("");
            if (!text.isBlank()) {
                groups.add(text);
            }
        }));
        return List.copyOf(groups);
    }

    private static List<String> keys(JsonNode person) {
        var keys = new ArrayList<String>();
        KEYS.forEach(claim -> values(person.path(claim)).forEach(value -> keys.add(value.asString(""))));
        values(person.path(INDIGO).path("sshKeys"))
                .forEach(key -> keys.add(withType(key.path("value").asString(""))));
        return keys.stream().filter(key -> !key.isBlank()).distinct().toList();
    }

    private static Stream<JsonNode> values(JsonNode claim) {
        return claim.isArray()
                ? claim.valueStream()
                : claim.isMissingNode() || claim.isNull() ? Stream.empty() : Stream.of(claim);
    }

    /** INDIGO IAM takes a key without its type, too (RSAPublicKeyUtils); the type is also inside, after its length. */
    private static String withType(String key) {
        if (key.isBlank() || key.strip().contains(" ")) {
            return key;
        }
        try {
            var bytes = Base64.getDecoder().decode(key.strip());
            int length = bytes.length < 4 ? 0 : bytes[3];
            return length > 0 && bytes.length > 4 + length
                    ? new String(bytes, 4, length, StandardCharsets.US_ASCII) + " " + key.strip()
                    : key;
        } catch (IllegalArgumentException _) {
            return key;
        }
    }
}
