package io.deepsite.site;

import io.deepsite.diag.Code;
import java.util.Optional;

/** The apt repository that has a driver's packages, and the key that signs it. */
@OneOf(
        value = {"key", "keyFrom"},
        why = "The driver runs in the kernel: hosts take packages of a known key only.")
public record DriverRepository(
        @Key(
                value = "Its address: the folder of its index; with `suite`, the one above dists/. `mirrors.apt.nvidia`"
                        + " replaces NVIDIA's.",
                example = PUBLIC + "debian12/x86_64/",
                impact = ChangeImpact.FILE)
        WebAddress uri,

        @Key(
                value =
                        "The suite, as the folder below dists/ is called. Without it the repository is flat, as NVIDIA's.",
                example = "bookworm",
                pattern = WORD,
                requires = @OtherKeys("component"),
                impact = ChangeImpact.FILE,
                confined = true)
        Optional<String> suite,

        @Key(
                value = "The component.",
                example = "non-free",
                pattern = WORD,
                requires = @OtherKeys(value = "suite", code = Code.NO_EFFECT),
                impact = ChangeImpact.FILE,
                confined = true)
        Optional<String> component,

        @Key(
                value = "The key that signs it, ASCII armoured: a file on this machine, a full path.",
                example = "/srv/keys/nvidia.asc",
                pattern = "/\\S+",
                impact = ChangeImpact.FILE)
        Optional<String> key,

        @Key(
                value = "Where hosts fetch the key, ASCII armoured.",
                example = PUBLIC + "debian12/x86_64/3bf863cc.pub",
                requires =
                        @OtherKeys(
                                value = "fingerprint",
                                why = "Without it, whoever answers there would sign the driver."),
                impact = ChangeImpact.FILE)
        Optional<WebAddress> keyFrom,

        @Key(
                value = "Fingerprint of the key that is fetched, 40 hexadecimal digits (gpg --show-keys). Hosts take no"
                        + " other.",
                example = "0123456789ABCDEF0123456789ABCDEF01234567",
                pattern = "[0-9A-F]{40}",
                requires = @OtherKeys(value = "keyFrom", code = Code.NO_EFFECT),
                impact = ChangeImpact.FILE,
                confined = true)
        Optional<String> fingerprint) {
    /** Above NVIDIA's own repositories, a folder for each release and architecture. */
    private static final String PUBLIC = "https://developer.download.nvidia.com/compute/cuda/repos/";

    static final String WORD = "[A-Za-z0-9._-]+";

    /** Whether a mirror of NVIDIA's repositories has it, or its key. */
    public boolean isPublic() {
        return uri.value().startsWith(PUBLIC)
                || keyFrom.filter(from -> from.value().startsWith(PUBLIC)).isPresent();
    }

    /** One of its addresses as hosts use it. */
    public static String at(WebAddress address, Mirrors mirrors) {
        return mirrors.apt()
                .nvidia()
                .filter(_ -> address.value().startsWith(PUBLIC))
                .map(mirror -> mirror.value().replaceAll("/+$", "") + "/"
                        + address.value().substring(PUBLIC.length()))
                .orElse(address.value());
    }
}
