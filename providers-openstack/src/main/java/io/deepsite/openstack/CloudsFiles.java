package io.deepsite.openstack;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.TreeMap;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * Reads clouds.yaml, secure.yaml and clouds-public.yaml from where the OpenStack clients do: the first that exists of the file
 * that a variable names, then in the working folder, the user's and the system's. secure.yaml overrides clouds.yaml.
 */
final class CloudsFiles {
    private static final int LARGEST = 1 << 20;
    private static final Map<String, String> VARIABLES = Map.of(
            "clouds", "OS_CLIENT_CONFIG_FILE",
            "secure", "OS_CLIENT_SECURE_FILE",
            "clouds-public", "OS_CLIENT_VENDOR_FILE");
    private static final List<String> ENDINGS = List.of("yaml", "yml", "json");

    private final Environment environment;
    private final Faults faults;

    CloudsFiles(Environment environment, Faults faults) {
        this.environment = environment;
        this.faults = faults;
    }

    /**
     * @param file with the clouds; empty if there is none
     * @param clouds by name, each with its profile and secrets
     */
    record Found(Optional<Path> file, Map<String, Map<String, Object>> clouds) {
        /** Without the clouds: they hold secrets. */
        @Override
        public String toString() {
            return "the clouds of " + file;
        }
    }

    Found read() {
        var file = first("clouds", "OS_CLIENT_CONFIG_FILE");
        if (file.isEmpty()) {
            return new Found(file, Map.of());
        }
        var secrets = first("secure", "OS_CLIENT_SECURE_FILE")
                .map(secure -> clouds(secure, "clouds"))
                .orElse(Map.of());
        var profiles = first("clouds-public", "OS_CLIENT_VENDOR_FILE")
                .map(vendor -> clouds(vendor, "public-clouds"))
                .orElse(Map.of());
        var clouds = new TreeMap<String, Map<String, Object>>();
        clouds(file.get(), "clouds").forEach((name, cloud) -> {
            var whole = merged(profile(name, cloud, profiles), cloud);
            clouds.put(name, merged(whole, secrets.getOrDefault(name, Map.of())));
        });
        return new Found(file, clouds);
    }

    /** The files that there are, by the variables that name them. */
    Map<String, String> found() {
        var files = new TreeMap<String, String>();
        VARIABLES.forEach((name, variable) -> first(name, variable)
                .ifPresent(file -> files.put(variable, file.toAbsolutePath().toString())));
        return files;
    }

    /** The places of the file, in the order of search. */
    SequencedSet<Path> candidates(String name, String variable) {
        var candidates = new LinkedHashSet<Path>();
        environment
                .variable(variable)
                .ifPresent(path -> candidates.add(environment.workingFolder().resolve(path)));
        var folders = new ArrayList<Path>();
        folders.add(environment.workingFolder());
        environment.variable("XDG_CONFIG_HOME").ifPresent(config -> folders.add(Path.of(config, "openstack")));
        folders.add(environment.home().resolve(".config/openstack"));
        folders.add(environment.system());
        for (var folder : folders) {
            ENDINGS.forEach(ending -> candidates.add(folder.resolve(name + "." + ending)));
        }
        return candidates;
    }

    private Optional<Path> first(String name, String variable) {
        return candidates(name, variable).stream().filter(Files::isRegularFile).findFirst();
    }

    private Map<String, Object> profile(
            String name, Map<String, Object> cloud, Map<String, Map<String, Object>> profiles) {
        var profile = cloud.getOrDefault("profile", cloud.get("cloud"));
        if (profile == null) {
            return Map.of();
        }
        var known = profiles.get(profile.toString());
        if (known == null) {
            throw faults.unusable(
                    "The cloud " + name + " is of the profile " + profile + ", and no clouds-public.yaml has it: "
                            + Faults.some(profiles.keySet()) + ".",
                    "Write auth_url and the other settings of the profile into clouds.yaml.");
        }
        return known;
    }

    private Map<String, Map<String, Object>> clouds(Path file, String key) {
        var clouds = new TreeMap<String, Map<String, Object>>();
        if (map(load(file)).get(key) instanceof Map<?, ?> written) {
            written.forEach((name, cloud) -> {
                if (!(cloud instanceof Map<?, ?>)) {
                    throw faults.unusable(
                            "In " + file + " the cloud " + name + " is no map of keys.", "Give it auth, or remove it.");
                }
                clouds.put(String.valueOf(name), map(cloud));
            });
        }
        return clouds;
    }

    private Object load(Path file) {
        var options = new LoaderOptions();
        options.setCodePointLimit(LARGEST);
        options.setAllowDuplicateKeys(false);
        try {
            var loaded =
                    new Yaml(new SafeConstructor(options)).<Object>load(Files.readString(file, StandardCharsets.UTF_8));
            return loaded == null ? Map.of() : loaded;
        } catch (IOException e) {
            throw faults.unusable(file + " cannot be read: " + e.getMessage() + ".", "Mend its rights.");
        } catch (MarkedYAMLException e) {
            // Not the exception's text: it quotes the line, which may hold a password.
            var place = e.getProblemMark() == null
                    ? ""
                    : " at line " + (e.getProblemMark().getLine() + 1);
            throw faults.unusable(file + " is not valid YAML" + place + ".", "Mend it; indentation counts.");
        } catch (YAMLException _) {
            throw faults.unusable(file + " is not valid YAML.", "Mend it.");
        }
    }

    private static Map<String, Object> map(Object written) {
        var map = new LinkedHashMap<String, Object>();
        if (written instanceof Map<?, ?> keys) {
            keys.forEach((key, value) -> {
                if (value != null) {
                    map.put(String.valueOf(key), value);
                }
            });
        }
        return map;
    }

    private static Map<String, Object> merged(Map<String, Object> below, Map<String, Object> above) {
        var merged = new LinkedHashMap<>(below);
        above.forEach((key, value) -> merged.merge(
                key,
                value,
                (old, fresh) ->
                        old instanceof Map<?, ?> && fresh instanceof Map<?, ?> ? merged(map(old), map(fresh)) : fresh));
        return merged;
    }
}
