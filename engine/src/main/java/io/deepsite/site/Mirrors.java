package io.deepsite.site;

import io.deepsite.diag.Code;
import java.util.Optional;

/** The site's own places of what machines install; each kind of source has its key. */
public record Mirrors(
        @Key(value = "Archives of packages, in place of those that the image names.", impact = ChangeImpact.FILE)
        Apt apt) {
    public static final Mirrors NONE = new Mirrors(
            new Apt(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()));

    public record Apt(
            @Key(
                    value = "Debian's archive, for machines of an image debian/N. What is not named here is not used.",
                    example = "http://mirror.example/debian",
                    impact = ChangeImpact.FILE)
            Optional<WebAddress> debian,

            @Key(
                    value = "Debian's security archive.",
                    example = "http://mirror.example/debian-security",
                    requires = @OtherKeys(value = "debian", code = Code.NO_EFFECT),
                    impact = ChangeImpact.FILE)
            Optional<WebAddress> debianSecurity,

            @Key(
                    value = "Ubuntu's archive, for machines of an image ubuntu/N. What is not named here is not used.",
                    example = "http://mirror.example/ubuntu",
                    impact = ChangeImpact.FILE)
            Optional<WebAddress> ubuntu,

            @Key(
                    value = "Ubuntu's security archive.",
                    example = "http://mirror.example/ubuntu",
                    requires = @OtherKeys(value = "ubuntu", code = Code.NO_EFFECT),
                    impact = ChangeImpact.FILE)
            Optional<WebAddress> ubuntuSecurity,

            @Key(
                    value =
                            "NVIDIA's repositories of CUDA, for `driver.repository` of machine groups: the folder above those"
                                    + " of the releases.",
                    example = "http://mirror.example/nvidia",
                    impact = ChangeImpact.FILE)
            Optional<WebAddress> nvidia) {}
}
