package io.deepsite.site.load;

import io.deepsite.diag.Code;
import io.deepsite.site.Cidr;
import io.deepsite.site.ImageName;
import io.deepsite.site.IpAddress;
import io.deepsite.site.Moment;
import io.deepsite.site.Name;
import io.deepsite.site.PciAddress;
import io.deepsite.site.Size;
import io.deepsite.site.Span;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Turns one text of the file into a value of a component's type. */
final class Values {
    private static final Pattern INTEGER = Pattern.compile("-?(0|[1-9][0-9]{0,17})");
    private static final Pattern AMOUNT = Pattern.compile("([0-9]+)\\s*([A-Za-z]*)");
    private static final Map<Class<?>, Code> CODES = Map.of(
            Size.class, Code.NOT_SIZE,
            Span.class, Code.NOT_TIME,
            Moment.class, Code.NOT_TIME,
            Name.class, Code.NOT_NAME,
            ImageName.class, Code.NOT_IMAGE,
            PciAddress.class, Code.NOT_PCI_ADDRESS,
            IpAddress.class, Code.NOT_ADDRESS,
            Cidr.class, Code.NOT_RANGE);

    private Values() {}

    /** The text is no value of the type. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1;

        private final Code code;
        private final String why;
        private final String fix;

        Refused(Code code, String why, String fix) {
            super(why, null, false, false);
            this.code = code;
            this.why = why;
            this.fix = fix;
        }

        Code code() {
            return code;
        }

        String why() {
            return why;
        }

        String fix() {
            return fix;
        }
    }

    /** @param plain not in quotes */
    static Object parse(Class<?> type, Field about, String text, boolean plain) throws Refused {
        if (type == int.class || type == Integer.class) {
            return integer(about, text, plain);
        }
        if (type == boolean.class || type == Boolean.class) {
            return bool(text, plain);
        }
        if (!about.choices().isEmpty() && !about.choices().contains(text)) {
            throw new Refused(
                    Code.NOT_ACCEPTED,
                    Wording.quoted(text) + " is not " + Wording.anyOf(about.choices()) + ". " + about.about(),
                    Wording.didYouMean(
                            text,
                            about.choices(),
                            "Write one of them, such as " + about.choices().getFirst() + "."));
        }
        if (!about.pattern().isEmpty() && !text.matches(about.pattern())) {
            throw new Refused(
                    Code.NOT_ACCEPTED,
                    Wording.quoted(text) + " is not accepted here. " + about.about(),
                    about.defaultValue().isEmpty() ? "" : "Write it such as " + about.defaultValue() + ".");
        }
        return type == String.class ? text : valueType(type, text, about);
    }

    private static Object integer(Field about, String text, boolean plain) throws Refused {
        if (!INTEGER.matcher(text).matches()) {
            throw new Refused(
                    Code.NOT_INTEGER,
                    Wording.quoted(text) + " is not a whole number.",
                    "Write digits only" + (about.sample().isEmpty() ? "." : ", such as " + about.sample() + "."));
        }
        if (!plain) {
            throw new Refused(
                    Code.NOT_INTEGER,
                    Wording.quoted(text) + " is quoted, so it is a string.",
                    "Write " + text + " without quotes.");
        }
        long number = Long.parseLong(text);
        long least = Math.max(about.min(), Integer.MIN_VALUE);
        long most = Math.min(about.max(), Integer.MAX_VALUE);
        if (number < least || number > most) {
            String range = about.max() == Long.MAX_VALUE ? "at least " + least : "from " + least + " to " + most;
            throw new Refused(Code.OUT_OF_RANGE, number + " is outside what this key takes: " + range + ".", "");
        }
        return (int) number;
    }

    private static Object bool(String text, boolean plain) throws Refused {
        if (plain && (text.equals("true") || text.equals("false"))) {
            return text.equals("true");
        }
        String meant = switch (text.toLowerCase(Locale.ROOT)) {
            case "yes", "on", "true", "y" -> "Write true.";
            case "no", "off", "false", "n" -> "Write false.";
            default -> "Write true or false.";
        };
        throw new Refused(
                Code.NOT_BOOLEAN,
                plain
                        ? Wording.quoted(text) + " is neither true nor false."
                        : Wording.quoted(text) + " is quoted, so it is a string.",
                meant);
    }

    private static Object valueType(Class<?> type, String text, Field about) throws Refused {
        try {
            return type.getMethod("parse", String.class).invoke(null, text);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException refused) {
                throw new Refused(
                        CODES.getOrDefault(type, Code.NOT_ACCEPTED),
                        Wording.quoted(text) + " is refused: " + Wording.sentence(String.valueOf(refused.getMessage())),
                        near(type, text, about)
                                .map(near -> "Did you mean " + near + "?")
                                .orElse(""));
            }
            throw new IllegalStateException(type + ".parse failed", e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type + " has no public static parse(String)", e);
        }
    }

    /** What the writer of a size, a time or a name most likely meant. */
    private static Optional<String> near(Class<?> type, String text, Field about) {
        if (type == Name.class) {
            String mended = text.toLowerCase(Locale.ROOT)
                    .replaceAll("[ _.]+", "-")
                    .replaceAll("[^a-z0-9-]", "")
                    .replaceAll("^[^a-z]+|-+$", "");
            return mended.matches(Name.PATTERN) ? Optional.of(mended) : Optional.empty();
        }
        var amount = AMOUNT.matcher(text);
        if ((type != Size.class && type != Span.class) || !amount.matches()) {
            return Optional.empty();
        }
        // A bare number is most likely in the unit of the example.
        String unit = amount.group(2).isEmpty() ? about.sample().replaceAll("[0-9]", "") : amount.group(2);
        var units = type == Size.class ? List.of("KiB", "MiB", "GiB", "TiB") : List.of("s", "m", "h", "d");
        return units.stream()
                .filter(known -> known.regionMatches(true, 0, unit, 0, 1))
                .findFirst()
                .map(known -> amount.group(1)
                        + (known.equals("GiB") && amount.group(1).length() > 3 ? "MiB" : known))
                .filter(mended -> !mended.equals(text));
    }
}
