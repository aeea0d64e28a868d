package io.deepsite.site;

import java.util.regex.Pattern;

/** A guest image as users name it, {@code debian/12}: an alias of the back-end, or an image that deepsite can build. */
public record ImageName(String value) {
    public static final String PATTERN = "[A-Za-z0-9][A-Za-z0-9._/-]{0,79}";
    private static final Pattern VALID = Pattern.compile(PATTERN);

    public ImageName {
        if (!VALID.matcher(value).matches()) {
            throw new IllegalArgumentException("an image is named like debian/12");
        }
    }

    public static ImageName parse(String text) {
        return new ImageName(text);
    }

    @Override
    public String toString() {
        return value;
    }
}
