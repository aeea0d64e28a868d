package io.deepsite.state;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A site's secrets: one map from name to text, encrypted as a whole, in a {@link Vault}. The text is
 * JSON, which is YAML too, so {@code ansible-vault view} and {@code vars_files} read it. Any thread may call; writing
 * needs the site's lock.
 */
public final class SecretStore {
    /** The HMAC key of fingerprints; created together with the first other secret. */
    private static final String SITE_KEY = "deepsite_site_key";

    private static final SecretKind SITE_KEY_KIND = new SecretKind.RandomBytes(32);
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_.-]*");
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .build();

    private final Vault vault;
    private final VaultKeyFile keyFile;
    private final VaultFormat format;
    private final Consumer<Diagnostic> notices;
    private final SecureRandom random = new SecureRandom();
    private final ReentrantLock guard = new ReentrantLock();
    private @Nullable SortedMap<String, Secret> loaded;

    /** Of what was read: another process may write before this one holds the lock. */
    private @Nullable Object version;

    /** Reads nothing yet; a site without secrets never asks for a key. */
    public SecretStore(Vault vault, VaultKeyFile keyFile, Consumer<Diagnostic> notices) {
        this(vault, keyFile, VaultFormat.ANSIBLE, notices);
    }

    /** With another format, for tests that open the vault a thousand times. */
    public SecretStore(Vault vault, VaultKeyFile keyFile, VaultFormat format, Consumer<Diagnostic> notices) {
        this.vault = vault;
        this.keyFile = keyFile;
        this.format = format;
        this.notices = notices;
    }

    /** Without deepsite's own site key. */
    public SortedSet<String> names() {
        var names = new TreeSet<>(secrets().keySet());
        names.remove(SITE_KEY);
        return Collections.unmodifiableSortedSet(names);
    }

    public Optional<Secret> find(String name) {
        return Optional.ofNullable(secrets().get(name));
    }

    /** @throws Failure SECRET_UNKNOWN */
    public Secret require(String name) {
        return find(name)
                .orElseThrow(() -> new Failure(Diagnostic.error(
                        Code.SECRET_UNKNOWN,
                        "\"" + name + "\" is not in " + vault.name() + "; it holds: "
                                + (names().isEmpty() ? "nothing" : String.join(", ", names())) + ".",
                        "Correct the name, or add the secret.")));
    }

    /** Returns the secret of this name; generates it and writes it to disk first if it does not exist. */
    public Secret ensure(String name, SecretKind kind) {
        guard.lock();
        try {
            var present = find(name);
            if (present.isPresent()) {
                return present.get();
            }
            var made = kind.generate(random);
            put(name, made);
            return made;
        } finally {
            guard.unlock();
        }
    }

    /** As {@link #ensure(String, SecretKind)} for many, with at most one write of the file. */
    public void ensure(Map<String, SecretKind> wanted) {
        guard.lock();
        try {
            var made = new TreeMap<String, Secret>();
            wanted.forEach((name, kind) -> {
                if (find(name).isEmpty()) {
                    made.put(name, kind.generate(random));
                }
            });
            put(made);
        } finally {
            guard.unlock();
        }
    }

    /**
     * Adds or replaces.
     *
     * @throws Failure SECRET_NAME
     */
    public void put(String name, Secret value) {
        put(Map.of(name, value));
    }

    private void put(Map<String, Secret> added) {
        added.keySet().forEach(SecretStore::requireName);
        guard.lock();
        try {
            if (!added.isEmpty()) {
                var next = new TreeMap<>(secrets());
                next.putAll(added);
                if (!next.containsKey(SITE_KEY)) {
                    next.put(SITE_KEY, SITE_KEY_KIND.generate(random));
                }
                write(next);
            }
        } finally {
            guard.unlock();
        }
    }

    private static void requireName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new Failure(Diagnostic.error(
                    Code.SECRET_NAME,
                    "\"" + name + "\" cannot name a secret.",
                    "Begin with a lower-case letter, continue with letters, digits, '_', '.' or '-': munge_key."));
        }
    }

    /** Empty as long as the site has no secret. */
    public Optional<SiteKey> siteKey() {
        return find(SITE_KEY).map(SiteKey::new);
    }

    /**
     * The key that seals a plan: the site's own, else one derived from the vault key, which is created on first need.
     */
    public SiteKey sealingKey() {
        return siteKey().orElseGet(() -> keyOfVault(keyFile.readOrMake(notices)));
    }

    /** The keys that may have sealed a plan, which may be older than the site's first secret. */
    public List<SiteKey> sealingKeys() {
        return Stream.concat(siteKey().stream(), keyFile.read(notices).map(this::keyOfVault).stream())
                .toList();
    }

    private SiteKey keyOfVault(VaultKey key) {
        return SiteKey.ofVault(key, vault.site());
    }

    /** What the state records of each secret: name to HMAC. */
    public SortedMap<String, String> fingerprints() {
        var fingerprints = new TreeMap<String, String>();
        siteKey()
                .ifPresent(key -> names().forEach(name -> fingerprints.put(
                        name,
                        key.fingerprint("secret:" + name, require(name).reveal().getBytes(StandardCharsets.UTF_8)))));
        return Collections.unmodifiableSortedMap(fingerprints);
    }

    private SortedMap<String, Secret> secrets() {
        guard.lock();
        try {
            var now = vault.version();
            var present = loaded;
            if (present == null || !now.equals(version)) {
                present = read();
                loaded = present;
                version = now;
            }
            return present;
        } finally {
            guard.unlock();
        }
    }

    private SortedMap<String, Secret> read() {
        return vault.read().map(this::decrypted).orElse(Collections.emptySortedMap());
    }

    private SortedMap<String, Secret> decrypted(byte[] encrypted) {
        var plain = format.decrypt(encrypted, keyFile.require(vault.name(), notices), vault.name());
        try {
            var secrets = new TreeMap<String, Secret>();
            JSON.readValue(plain, new TypeReference<TreeMap<String, String>>() {})
                    .forEach((name, value) -> secrets.put(name, Secret.of(value)));
            return Collections.unmodifiableSortedMap(secrets);
        } catch (JacksonException | IllegalArgumentException e) {
            // The parser's own message may quote a value: it is neither shown nor kept as the cause.
            throw vault.damaged("Its text is not one JSON object of name and non-empty text.");
        }
    }

    private void write(SortedMap<String, Secret> next) {
        var plain = new TreeMap<String, String>();
        next.forEach((name, secret) -> plain.put(name, secret.reveal()));
        vault.replace(format.encrypt(JSON.writeValueAsBytes(plain), keyFile.readOrMake(notices)));
        loaded = Collections.unmodifiableSortedMap(next);
        version = vault.version();
    }
}
