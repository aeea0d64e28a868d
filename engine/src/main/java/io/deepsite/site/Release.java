package io.deepsite.site;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The distribution of an image, as its archives name it. */
public record Release(String distribution, String codename) {
    private static final Map<String, String> CODENAMES = Map.of(
            "debian/11", "bullseye",
            "debian/12", "bookworm",
            "debian/13", "trixie",
            "ubuntu/22.04", "jammy",
            "ubuntu/24.04", "noble");

    /** Without apt, which every role installs packages with. */
    private static final Pattern WITHOUT_APT = Pattern.compile(
            "(almalinux|alpine|amazonlinux|archlinux|centos|fedora|gentoo|nixos|openeuler|opensuse|openwrt|oraclelinux|rhel"
                    + "|rockylinux|slackware|sles|voidlinux)([^a-z].*)?|(alma|oracle|rocky)[^a-z]?[0-9].*");

    private static final Pattern UBUNTU = Pattern.compile("ubuntu[^a-z0-9]?([0-9]{2})[.]?(04|10)([^0-9].*)?");
    private static final Pattern UBUNTU_BY_CODENAME =
            Pattern.compile("ubuntu[^a-z0-9](precise|trusty|xenial)([^a-z].*)?");
    /** That of the clouds of Rocky and Stein; its Python 3.6 is the oldest that files for hosts run with. */
    private static final int OLDEST_UBUNTU = 18;

    /**
     * Why no role can configure machines of an image, if its name tells the system; the name of an image of the site's own may
     * tell nothing.
     */
    public static Optional<String> unsupported(ImageName image) {
        var name = image.value().toLowerCase(Locale.ROOT);
        if (WITHOUT_APT.matcher(name).matches()) {
            return Optional.of("every role installs packages with apt, which this system does not have");
        }
        var ubuntu = UBUNTU.matcher(name);
        boolean old = ubuntu.matches() && Integer.parseInt(ubuntu.group(1)) < OLDEST_UBUNTU;
        return old || UBUNTU_BY_CODENAME.matcher(name).matches()
                ? Optional.of("files for hosts need Python 3.6, which Ubuntu has from " + OLDEST_UBUNTU + ".04 on")
                : Optional.empty();
    }

    /** Empty for an image whose name does not tell. */
    public static Optional<Release> of(ImageName image) {
        return Optional.ofNullable(CODENAMES.get(image.value()))
                .map(codename -> new Release(image.value().replaceFirst("/.*", ""), codename));
    }
}
