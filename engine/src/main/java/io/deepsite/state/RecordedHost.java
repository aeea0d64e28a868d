package io.deepsite.state;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * How to reach a machine, and what is configured on it.
 *
 * @param address name or address that SSH connects to
 * @param user the login user
 * @param hostKey public line of the host's key, {@code ssh-ed25519 AAAA…}; null while it is unknown
 * @param via the recorded host that is this one's SSH jump host; null without one
 * @param awaited created or about to be restarted, and no login has succeeded since
 * @param size null for a machine that deepsite made: its size is in site.yaml
 * @param roles by role name
 * @param formerUsers uid by login name, of users removed from the site: leaving locked their accounts, which still hold
 *     these uids here
 */
public record RecordedHost(
        String address,
        int port,
        String user,
        @Nullable String hostKey,
        @Nullable String via,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean awaited,
        @Nullable RecordedSize size,
        SortedMap<String, RecordedRole> roles,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) SortedMap<String, Integer> formerUsers) {
    public RecordedHost {
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(user, "user");
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("not a port: " + port);
        }
        roles = Sorted.copyOf(roles);
        // Older versions recorded none.
        formerUsers = formerUsers == null ? Sorted.copyOf(Map.of()) : Sorted.copyOf(formerUsers);
    }

    /** Without a jump host. */
    public RecordedHost(
            String address, int port, String user, @Nullable String hostKey, SortedMap<String, RecordedRole> roles) {
        this(address, port, user, hostKey, null, false, null, roles);
    }

    /** Without former users. */
    public RecordedHost(
            String address,
            int port,
            String user,
            @Nullable String hostKey,
            @Nullable String via,
            boolean awaited,
            @Nullable RecordedSize size,
            SortedMap<String, RecordedRole> roles) {
        this(address, port, user, hostKey, via, awaited, size, roles, Sorted.copyOf(Map.of()));
    }

    public RecordedHost withRoles(SortedMap<String, RecordedRole> next) {
        return new RecordedHost(address, port, user, hostKey, via, awaited, size, next, formerUsers);
    }

    public RecordedHost withHostKey(@Nullable String next) {
        return new RecordedHost(address, port, user, next, via, awaited, size, roles, formerUsers);
    }

    public RecordedHost withAwaited(boolean next) {
        return new RecordedHost(address, port, user, hostKey, via, next, size, roles, formerUsers);
    }

    public RecordedHost withSize(@Nullable RecordedSize next) {
        return new RecordedHost(address, port, user, hostKey, via, awaited, next, roles, formerUsers);
    }

    /** Adds or replaces. */
    public RecordedHost withRole(String role, RecordedRole recorded) {
        return withRoles(Sorted.with(roles, role, recorded));
    }

    public RecordedHost withoutRole(String role) {
        return withRoles(Sorted.without(roles, role));
    }

    /** This one's connection with the configuration of {@code before}. */
    public RecordedHost configuredAs(RecordedHost before) {
        return withRoles(before.roles).withFormerUsers(before.formerUsers);
    }

    public RecordedHost withFormerUsers(SortedMap<String, Integer> next) {
        return new RecordedHost(address, port, user, hostKey, via, awaited, size, roles, next);
    }
}
