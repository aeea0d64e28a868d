package io.deepsite.provider;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.site.ImageName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Guest images of a back-end. Not resources of a site: many sites start from one image. */
public interface ImageStore {

    /**
     * @param names aliases, as site.yaml may name it; empty for one that no alias names any more
     * @param description the maker's own words; may be empty
     */
    record StoredImage(
            List<String> names, String fingerprint, long bytes, String description, Optional<Instant> storedAt) {
        public StoredImage {
            names = List.copyOf(names);
        }
    }

    /** In order of name. */
    List<StoredImage> images();

    /** Builds an image that deepsite has a recipe for, stores it and lets the name point to it. Takes minutes. */
    default void build(ImageName image, Call call) {
        throw new Failure(Diagnostic.error(
                Code.NOT_WITH_PROVIDER,
                "deepsite has no recipe for images of this back-end.",
                "These are there:",
                "deepsite image list"));
    }

    /** Fetches an image from the server that the site names, stores it and lets the name point to it. */
    default void pull(ImageName image, Call call) {
        throw new Failure(Diagnostic.error(
                Code.NOT_WITH_PROVIDER,
                "This back-end fetches no images from servers that the site names.",
                "These are there:",
                "deepsite image list"));
    }

    /**
     * Stores the disk of a machine as an image of this name, which shows only once it is complete. Nothing that a shutdown
     * would write comes into it. The machine can only be deleted afterwards. An image of this name that is there already is
     * kept.
     *
     * @param name a valid {@link ImageName}
     * @param description what it is made of, in words
     */
    default void publish(ObservedResource machine, String name, String description, Call call) {
        throw new Failure(Diagnostic.error(
                Code.NOT_WITH_PROVIDER,
                "This back-end makes no images of machines.",
                "Machines of this site are made from the images that site.yaml names."));
    }

    /** Deletes the image that the name points to, and the name. */
    void delete(ImageName image, Call call);
}
