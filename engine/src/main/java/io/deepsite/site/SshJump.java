package io.deepsite.site;

import java.util.Optional;

/** A host in between. It is not one of the site's machines, and nothing is changed on it. */
public record SshJump(
        @Key(value = "Its name or address.", example = "gate.example", pattern = "[A-Za-z0-9:][A-Za-z0-9.:_-]{0,254}")
        String host,

        @Key(
                value = "Login name there, that of ssh.user by default; needs no rights but to forward connections.",
                example = "admin",
                pattern = "[a-z_][a-z0-9_.-]{0,31}")
        Optional<String> user,

        @Key(value = "Port of its SSH server.", defaultValue = "22", example = "2222", min = 1, max = 65_535)
        int port,

        @Key(value = "Private key file for it, that of ssh.key by default.", example = "~/.ssh/gate")
        Optional<String> key,

        @Key(
                value =
                        "Its host key, a line as in /etc/ssh/ssh_host_ed25519_key.pub. By default it is looked up in your known_hosts.",
                example = "ssh-ed25519 AAAA…")
        Optional<String> hostKey) {}
