package io.deepsite.contract;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The texts of files, each kept once even if many hosts get it.
 *
 * @param texts SHA-256 of the text (markers included) to the text
 */
public record Contents(SortedMap<String, String> texts) {
    public Contents {
        texts = Collections.unmodifiableSortedMap(new TreeMap<>(texts));
    }

    public String text(String body) {
        var text = texts.get(body);
        if (text == null) {
            throw new IllegalArgumentException("no content " + body);
        }
        return text;
    }
}
