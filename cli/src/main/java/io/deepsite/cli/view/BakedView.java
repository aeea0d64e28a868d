package io.deepsite.cli.view;

import io.deepsite.operations.BakeOperation.Baked;
import io.deepsite.site.Name;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Baked images of a site. */
public final class BakedView {
    private BakedView() {}

    public static String text(List<Baked> images) {
        var rows = new Columns();
        images.forEach(image -> rows.row(
                image.name(),
                String.join(", ", groups(image)),
                image.made() ? "baked" : "exists",
                image.of() + " with " + String.join(", ", image.packages())));
        return rows.text(0);
    }

    public static List<Map<String, Object>> json(List<Baked> images) {
        return images.stream().map(BakedView::json).toList();
    }

    private static Map<String, Object> json(Baked image) {
        var fields = new LinkedHashMap<String, Object>();
        fields.put("name", image.name());
        fields.put("groups", groups(image));
        fields.put("of", image.of());
        fields.put("packages", image.packages());
        fields.put("made", image.made());
        return fields;
    }

    private static List<String> groups(Baked image) {
        return image.groups().stream().map(Name::value).toList();
    }
}
