package io.deepsite.site;

import java.util.Map;
import java.util.Optional;

/** The distribution of an image, as its archives name it. */
public record Release(String distribution, String codename) {
    private static final Map<String, String> CODENAMES = Map.of(
            "debian/11", "bullseye",
            "debian/12", "bookworm",
            "debian/13", "trixie",
            "ubuntu/22.04", "jammy",
            "ubuntu/24.04", "noble");

    /** Empty for an image whose name does not tell. */
    public static Optional<Release> of(ImageName image) {
        return Optional.ofNullable(CODENAMES.get(image.value()))
                .map(codename -> new Release(image.value().replaceFirst("/.*", ""), codename));
    }
}
