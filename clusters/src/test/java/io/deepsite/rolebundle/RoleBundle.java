package io.deepsite.rolebundle;

import io.deepsite.ansible.Bundle;
import io.deepsite.ansible.BundleWriter;
import io.deepsite.apply.Bundles;
import io.deepsite.apply.SecretNames;
import io.deepsite.contract.Contents;
import io.deepsite.contract.Item;
import io.deepsite.plan.UnknownResolver;
import io.deepsite.provider.Machine;
import io.deepsite.remote.HostKey;
import io.deepsite.remote.SshTarget;
import io.deepsite.render.ContractRenderer;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.render.SiteScope;
import io.deepsite.render.TemplateRenderer;
import io.deepsite.site.Name;
import io.deepsite.state.SecretKind;
import io.deepsite.state.VaultKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * The bundle that holds roles on one host, from variables instead of a site: what {@code testbed/roles/test} runs for a role with
 * {@code tests/variables.yaml}. It starts this file from source, with the packaged jars: public classes only.
 */
public final class RoleBundle {
    /** The machine on which roles are tested. */
    static final String GUEST = "guest";

    private RoleBundle() {}

    /**
     * @param arguments the folder with ansible-roles, templates and ansible-plugins; the file of variables; the guest's address;
     *     its host key as in known_hosts; the file of the login's private key; the bundle's folder, not there yet. The vault's
     *     key is then beside the bundle, in {@code vault.key}
     */
    public static void main(String[] arguments) throws IOException {
        var bundle = Path.of(arguments[5]);
        var guest = new SshTarget(GUEST, arguments[2], 22, "root", HostKey.parse(arguments[3]), Path.of(arguments[4]));
        write(DeepsiteHome.at(Path.of(arguments[0])), Path.of(arguments[1]), guest, bundle);
    }

    /**
     * A play for each role of the file, in its order.
     *
     * @param variables a YAML file: {@code roles}, by name the variables of each; {@code secrets}, values by name, of which the
     *     others are generated
     */
    static void write(DeepsiteHome home, Path variables, SshTarget guest, Path bundle) throws IOException {
        var given = map(new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(variables)));
        var machine = machine(guest.address());
        var renderer = new ContractRenderer(home, new TemplateRenderer(home));
        var plays = new ArrayList<Bundle.Play>();
        var parts = new ArrayList<Bundle.Part>();
        var secrets = new HashMap<String, String>();
        map(given.get("secrets")).forEach((name, value) -> secrets.put(name, String.valueOf(value)));
        map(given.get("roles")).forEach((role, its) -> {
            var rendered = renderer.render(role, machine, new SiteScope(List.of(machine)), map(its));
            addMissing(secrets, rendered.contract().items());
            var known = new UnknownResolver(secrets, Map.of(), Map.of(), digest -> digest);
            plays.add(new Bundle.Play(role, role, List.of(GUEST), 0));
            parts.add(Bundles.part(rendered.contract(), rendered.fingerprint(), new Contents(rendered.texts()), known));
        });
        var key = new SecretKind.Password(32).generate(new SecureRandom()).reveal();
        var keyFile = Files.writeString(bundle.resolveSibling("vault.key"), key);
        new BundleWriter(home, Duration.ofHours(1), Optional.of(VaultKey.of(key, keyFile.toString())))
                .write(
                        new Bundle("check-roles", plays, List.of(), List.of(guest), parts, Optional.of(keyFile)),
                        bundle);
    }

    /** As apply generates those that the vault lacks. */
    private static void addMissing(Map<String, String> secrets, List<Item> items) {
        for (var item : items) {
            if (item instanceof Item.File file) {
                file.secrets()
                        .forEach(name -> secrets.computeIfAbsent(
                                name,
                                _ -> SecretNames.kind(name)
                                        .generate(new SecureRandom())
                                        .reveal()));
            }
        }
    }

    private static Machine machine(String address) {
        return new Machine(
                GUEST,
                new Name(GUEST),
                Optional.empty(),
                "static",
                new Machine.Specs(1, 512, true, List.of()),
                new Machine.Ssh(Optional.of(address), 22, "root", Optional.empty()));
    }

    /** Empty for nothing: a role without variables. */
    private static Map<String, Object> map(Object yaml) {
        var map = new LinkedHashMap<String, Object>();
        if (yaml != null) {
            ((Map<?, ?>) yaml).forEach((key, value) -> map.put(String.valueOf(key), value));
        }
        return map;
    }
}
