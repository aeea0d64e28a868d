package io.deepsite.render;

import io.deepsite.contract.Item;
import io.deepsite.contract.Marker;

/** The functions that templates call; public because jinjava calls them by reflection. */
public final class TemplateFunctions {
    private TemplateFunctions() {}

    public static String secret(String name) {
        return Marker.secret(name);
    }

    public static String jsonSecret(String name) {
        return Marker.jsonSecret(name);
    }

    public static String apacheSecret(String name) {
        return Marker.apacheSecret(name);
    }

    public static String publicKey(String secret) {
        return Marker.publicKey(secret);
    }

    public static String fact(String machine, String fact) {
        return Marker.fact(new Item.Unknown(machine, fact));
    }
}
