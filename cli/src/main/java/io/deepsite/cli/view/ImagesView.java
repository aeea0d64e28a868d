package io.deepsite.cli.view;

import io.deepsite.provider.ImageStore.StoredImage;
import io.deepsite.text.Elapsed;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Guest images of a back-end. */
public final class ImagesView {
    private static final double MEBIBYTE = 1024 * 1024;

    private ImagesView() {}

    public static String text(List<StoredImage> images, Instant now) {
        if (images.isEmpty()) {
            return "No image is stored. To build one:\n\n      deepsite image build debian/12\n";
        }
        var rows = new Columns();
        images.forEach(image -> rows.row(
                image.names().isEmpty() ? "(no name)" : String.join(", ", image.names()),
                image.fingerprint()
                        .substring(0, Math.min(12, image.fingerprint().length())),
                String.format(Locale.ROOT, "%.0f MiB", image.bytes() / MEBIBYTE),
                image.storedAt().map(at -> Elapsed.ago(at, now)).orElse(""),
                image.description()));
        return rows.text(0);
    }

    public static List<Map<String, Object>> json(List<StoredImage> images) {
        return images.stream().map(ImagesView::json).toList();
    }

    private static Map<String, Object> json(StoredImage image) {
        var fields = new LinkedHashMap<String, Object>();
        fields.put("names", image.names());
        fields.put("fingerprint", image.fingerprint());
        fields.put("bytes", image.bytes());
        fields.put("description", image.description());
        image.storedAt().ifPresent(at -> fields.put("storedAt", at.toString()));
        return fields;
    }
}
