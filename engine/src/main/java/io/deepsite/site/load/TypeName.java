package io.deepsite.site.load;

import io.deepsite.site.Cidr;
import io.deepsite.site.ImageName;
import io.deepsite.site.IpAddress;
import io.deepsite.site.Moment;
import io.deepsite.site.Name;
import io.deepsite.site.PciAddress;
import io.deepsite.site.Size;
import io.deepsite.site.Span;
import io.deepsite.site.WebAddress;

/** The type of a key's value, as shown by {@code explain} and of the reference page; the unit is part of them. */
final class TypeName {
    private TypeName() {}

    static String of(Field field) {
        return of(field.shape(), field);
    }

    private static String of(Shape shape, Field field) {
        return switch (shape) {
            case Shape.Scalar scalar -> scalar(scalar.type(), field);
            case Shape.Listing list
            when list.element() instanceof Shape.Scalar scalar -> "list, each " + scalar(scalar.type(), field);
            case Shape.Listing _ -> "list of maps";
            case Shape.Mapping map
            when map.value() instanceof Shape.Scalar scalar ->
                "map of names, each with " + scalar(scalar.type(), field);
            case Shape.Mapping _ -> "map of names, each with keys";
            case Shape.Struct _ -> "map of keys";
            case Shape.Choice choice
            when choice.byKind() ->
                "map of keys; kind is " + Wording.anyOf(choice.cases().names());
            case Shape.Choice choice ->
                "map with one key: " + Wording.anyOf(choice.cases().names());
        };
    }

    private static String scalar(Class<?> type, Field field) {
        if (!field.choices().isEmpty()) {
            return Wording.anyOf(field.choices());
        }
        if (type == int.class || type == Integer.class) {
            boolean open = field.max() == Long.MAX_VALUE;
            return "whole number"
                    + (field.min() == Long.MIN_VALUE ? "" : open ? " from " + field.min() : ", " + range(field));
        }
        if (type == boolean.class || type == Boolean.class) {
            return "true or false";
        }
        if (type == Size.class) {
            return "size in KiB, MiB, GiB or TiB";
        }
        if (type == Span.class) {
            return "time in s, m, h or d";
        }
        if (type == Moment.class) {
            return "point in time";
        }
        if (type == Name.class) {
            return "name";
        }
        if (type == WebAddress.class) {
            return "http or https address";
        }
        if (type == ImageName.class) {
            return "name of an image";
        }
        if (type == IpAddress.class) {
            return "address";
        }
        if (type == Cidr.class) {
            return "range of addresses";
        }
        return type == PciAddress.class ? "PCI address" : "text";
    }

    private static String range(Field field) {
        return field.min() + " to " + field.max();
    }
}
