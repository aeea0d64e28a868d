package io.deepsite.openstack;

import io.deepsite.diag.Code;
import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Key;
import io.deepsite.site.OneOf;
import io.deepsite.site.Ordered;
import io.deepsite.site.OtherKeys;
import java.util.Map;
import java.util.Optional;

/** Where one image comes from: it is there under another name, or it is uploaded. */
@OneOf(
        value = {"use", "file"},
        why = "An image of the cloud is used, or a file is uploaded.",
        none = Code.IMAGE_UNCLEAR,
        both = Code.IMAGE_UNCLEAR)
public record OpenStackImage(
        @Key(
                value = "Name or id of the image in the cloud.",
                example = "Debian 12 2026-11-01",
                impact = ChangeImpact.REPLACE)
        Optional<String> use,

        @Key(
                value = "A file to upload, when the cloud has no image of it yet.",
                example = "images/debian-12.qcow2",
                impact = ChangeImpact.REPLACE)
        Optional<String> file,

        @Key(
                value = "Format of the file.",
                defaultValue = "qcow2",
                choices = {"qcow2", "raw"},
                excludes =
                        @OtherKeys(
                                value = "use",
                                why = "Nothing is uploaded.",
                                fix = "Remove the key.",
                                code = Code.NO_EFFECT),
                impact = ChangeImpact.REPLACE)
        String format,

        @Key(
                value = "Properties of the uploaded image, such as hypervisor_type: lxd.",
                excludes =
                        @OtherKeys(
                                value = "use",
                                why = "Nothing is uploaded.",
                                fix = "Remove the key.",
                                code = Code.NO_EFFECT),
                impact = ChangeImpact.REPLACE)
        Map<String, String> properties) {

    public OpenStackImage {
        properties = Ordered.copy(properties);
    }
}
