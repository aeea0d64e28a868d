package io.deepsite.statics;

import static io.deepsite.diag.FaultMessage.assertReads;

import io.deepsite.provider.ExampleSite;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Tags;
import io.deepsite.remote.Executable;
import io.deepsite.site.Name;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages about inventories, with a stand-in for ansible-inventory. */
class StaticFaultMessagesTest {
    private static final String GOOD = "echo 'ansible-inventory [core 2.16.1]'";

    @TempDir
    private Path folder;

    @Test
    void reportsAMissingOrOldAnsible() {
        inventory("");

        reads("ansible/DS3101-no-ansible-inventory", () -> read(folder + "/bin/ansible-inventory"));
        reads("ansible/DS3102-old-ansible-inventory", () -> read(script("echo 'ansible-inventory 2.9.6'")));
        reads("ansible/DS3102-old-ansible-core", () -> read(script("echo 'ansible-inventory [core 2.12.1]'")));
    }

    @Test
    void reportsAnUnreadableInventory() {
        reads("inventory/DS2201-inventory-missing", () -> read(script(GOOD)));
        inventory("all: [");
        reads(
                "inventory/DS2201-inventory-broken",
                () -> read(script("[ \"$1\" = --version ] && { " + GOOD
                        + "; exit; }; echo '[WARNING]:  * Failed to parse hosts.yml"
                        + " with yaml plugin: We were unable to read either as JSON nor YAML' >&2; exit 1")));
        reads("inventory/DS2201-no-answer", () -> read(script(GOOD)));
    }

    @Test
    void reportsATimeout() throws Exception {
        inventory("");
        new ProcessBuilder("mkfifo", folder + "/fifo").start().waitFor();
        var hangs = script("[ \"$1\" = --version ] && { " + GOOD + "; exit; }; read forever < fifo");

        reads(
                "inventory/DS2207-inventory-hangs",
                () -> new InventoryProgram(hangs, Duration.ofSeconds(1)).read(folder.resolve("hosts.yml")));
    }

    @Test
    void reportsFaultsOfHosts() {
        reads("inventory/DS2202-group-without-hosts", () -> compile("""
                {"_meta": {"hostvars": {}}, "head": {"hosts": []}}""", ""));
        reads("inventory/DS2203-host-twice", () -> compile("""
                {"_meta": {"hostvars": {"h": {"deepsite_host_key": "KEY"}}},
                 "head": {"hosts": ["h"]}, "node": {"hosts": ["h"]}}""", ""));
        reads("inventory/DS2204-not-a-host-name", () -> compile("""
                {"_meta": {"hostvars": {"head.example.org": {"deepsite_host_key": "KEY"}, "n": {"deepsite_host_key": "KEY"}}},
                 "head": {"hosts": ["head.example.org"]}, "node": {"hosts": ["n"]}}""", ""));
        reads("inventory/DS2205-host-variables", () -> compile("""
                {"_meta": {"hostvars": {
                   "h": {"deepsite_host_key": "KEY", "ansible_port": 99999, "ansible_host": "{{ address }}"},
                   "n": {"deepsite_host_key": "KEY", "ansible_user": "x y", "ansible_connection": "local"}}},
                 "head": {"hosts": ["h"]}, "node": {"hosts": ["n"]}}""", ""));
        reads("hosts/DS2206-host-key-unknown", () -> compile("""
                {"_meta": {"hostvars": {"h": {"ansible_host": "192.0.2.10"}, "n": {"deepsite_host_key": "KEY"}}},
                 "head": {"hosts": ["h"]}, "node": {"hosts": ["n"]}}""", ""));
        reads("hosts/DS2208-gpu-without-vendor", () -> compile("""
                {"_meta": {"hostvars": {"h": {"deepsite_host_key": "KEY"}, "n": {"deepsite_host_key": "KEY"}}},
                 "head": {"hosts": ["h"]}, "node": {"hosts": ["n"]}}""", ", gpus: [{model: k20m}]"));
    }

    private void compile(String listing, String more) {
        inventory("");
        write(
                "list.json",
                listing.replace(
                        "KEY", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILFXRb7Mbh652UHPrfQy/UUVW1E6uehuJTqeqik/v2MN"));
        var program = script("case $1 in --version) " + GOOD + ";; *) cat list.json;; esac");
        var site = ExampleSite.read("""
                        apiVersion: deepsite/v1
                        site: demo
                        provider:
                          static: {inventory: hosts.yml}
                        machines:
                          head: {cpus: 2}
                          node: {cpus: 4, memory: 8GiB%s}
                        """.formatted(more), new StaticProviderFactory());
        new StaticProvider(
                        folder.resolve("hosts.yml"),
                        new InventoryProgram(program, Duration.ofHours(1)),
                        List.of(folder.resolve("known_hosts")))
                .survey(new Tags.Scope.OneSite(new Name("demo")))
                .compile(site, Requirements.NONE);
    }

    private void read(String program) {
        new InventoryProgram(program, Duration.ofHours(1)).read(folder.resolve("hosts.yml"));
    }

    private void inventory(String text) {
        write("hosts.yml", text);
    }

    private String script(String body) {
        try {
            return Executable.write(folder.resolve("ansible-inventory"), "#!/bin/sh\n" + body + "\n")
                    .toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path write(String name, String text) {
        try {
            return Files.writeString(folder.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void reads(String name, ThrowingCallable what) {
        assertReads(name, what, text -> text.replace(folder + "/", ""));
    }
}
