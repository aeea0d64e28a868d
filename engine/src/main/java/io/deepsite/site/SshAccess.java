package io.deepsite.site;

import java.util.Optional;

/** How deepsite logs in, and users beside their own keys. Host keys are always checked. */
public record SshAccess(
        @Key(
                value = "Login name; it is root or may use sudo without a password.",
                defaultValue = "root",
                example = "admin",
                pattern = "[a-z_][a-z0-9_-]{0,31}")
        String user,

        @Key(value = "Port of the SSH server.", defaultValue = "22", example = "2222", min = 1, max = 65_535)
        int port,

        @Key("A host that passes connections on to the machines, which cannot be reached from here themselves.")
        Optional<SshJump> jump,

        @Key(
                value =
                        "Private key file for hosts that deepsite did not make, relative to the folder of site.yaml; its own key is used for the others.",
                example = "~/.ssh/id_ed25519")
        Optional<String> key,

        @Key(
                value =
                        "Longest wait for the first login to a machine, its boot included, and for each login of Ansible.",
                defaultValue = "5m",
                example = "20m")
        Span patience,

        @Key(
                value =
                        "Longest wait for a host that deepsite restarts; a server's firmware looks at all its memory first.",
                defaultValue = "20m",
                example = "30m")
        Span restart,

        @Key(
                value =
                        "Short-lived certificates with which users log in; `deepsite certificate` signs them. Off by default.",
                impact = ChangeImpact.FILE)
        Optional<SshCertificates> certificates) {}
