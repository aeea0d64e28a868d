package io.deepsite.opennebula;

import io.deepsite.opennebula.oca.Template;
import io.deepsite.provider.Boot;
import io.deepsite.provider.CloudConfig;
import io.deepsite.provider.Resource;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/**
 * The first-boot setup of a guest, for the two programs that images use: OpenNebula's own one-context, and cloud-init, with
 * the same result. one-context starts its script after the SSH server, so a guest may show another key for some seconds.
 * Everyone who may use the machine in OpenNebula can read the context, for the machine's whole life.
 */
final class Context {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    /** A line that no file holds: files are in base64. */
    private static final String END = "__END__";

    private Context() {}

    static void into(Template template, Resource machine, Boot boot) {
        var login = Optional.ofNullable(machine.values().get(VmAttributes.LOGIN));
        var values = new TreeMap<String, String>();
        values.put("NETWORK", "YES");
        values.put("SET_HOSTNAME", machine.id().key());
        values.put("GROW_ROOTFS", "YES");
        boot.loginKeys()
                .map(keys -> keys.lines().filter(line -> !line.isBlank()).collect(Collectors.joining("\n")))
                .ifPresent(keys -> values.put("SSH_PUBLIC_KEY", keys));
        values.put("START_SCRIPT_BASE64", base64(script(machine, login, boot)));
        // YAML reads JSON.
        values.put(
                "USER_DATA",
                base64(CloudConfig.HEAD
                        + MAPPER.writeValueAsString(CloudConfig.of(machine.id().key(), login, boot))
                        + "\n"));
        values.put("USERDATA_ENCODING", "base64");
        template.vector("CONTEXT", values);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** May run at each start, and then changes nothing: a key that the machine has made since stays. */
    private static String script(Resource machine, Optional<String> login, Boot boot) {
        var script = new StringBuilder("""
                #!/bin/sh
                # Made by deepsite. Runs once: the machine makes an SSH host key of its own soon after.
                set -eu
                done=/var/lib/deepsite-context.done
                if [ -e "$done" ]; then exit 0; fi
                umask 077
                """);
        for (var file : boot.files()) {
            script.append("mkdir -p \"$(dirname '").append(file.path()).append("')\"\n");
            script.append("base64 -d >'").append(file.path()).append("' <<'" + END + "'\n");
            script.append(base64(file.content())).append("\n" + END + "\n");
            script.append(String.format("chmod %04o '%s'\n", file.mode(), file.path()));
        }
        login.ifPresent(user -> script.append(user(user)));
        if (boot.files().stream().anyMatch(file -> file.path().equals(CloudConfig.HOST_KEY))) {
            // These come from the image, so all its machines share them.
            script.append("""
                    rm -f /etc/ssh/ssh_host_rsa_key* /etc/ssh/ssh_host_ecdsa_key* /etc/ssh/ssh_host_dsa_key*
                    systemctl restart ssh 2>/dev/null || systemctl restart sshd 2>/dev/null \\
                        || service ssh restart 2>/dev/null || service sshd restart
                    """);
        }
        script.append("hostname '").append(machine.id().key()).append("' 2>/dev/null || true\n");
        return script.append(": >\"$done\"\n").toString();
    }

    /** The name has letters, digits, hyphens and underscores only. */
    private static String user(String name) {
        return """
                id '%1$s' >/dev/null 2>&1 || useradd -m -s /bin/bash '%1$s'
                home=$(getent passwd '%1$s' | cut -d: -f6)
                mkdir -p "$home/.ssh"
                cp /root/.ssh/authorized_keys "$home/.ssh/authorized_keys"
                chown -R '%1$s:' "$home/.ssh"
                echo '%1$s ALL=(ALL) NOPASSWD:ALL' >/etc/sudoers.d/90-deepsite
                chmod 0440 /etc/sudoers.d/90-deepsite
                """.formatted(name);
    }
}
