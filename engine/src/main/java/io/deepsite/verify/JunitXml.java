package io.deepsite.verify;

import io.deepsite.verify.CheckResult.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The dialect of JUnit XML that Jenkins, GitLab and GitHub read. */
final class JunitXml {
    private JunitXml() {}

    static String of(List<CheckResult> results) {
        Map<String, List<CheckResult>> suites = new LinkedHashMap<>();
        results.forEach(result ->
                suites.computeIfAbsent(result.cluster(), _ -> new ArrayList<>()).add(result));
        var xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
        suites.forEach((cluster, checks) -> suite(xml, cluster, checks));
        return xml.append("</testsuites>\n").toString();
    }

    private static void suite(StringBuilder xml, String cluster, List<CheckResult> checks) {
        xml.append("  <testsuite name=\"")
                .append(escaped(cluster))
                .append("\" tests=\"")
                .append(checks.size())
                .append("\" failures=\"")
                .append(count(checks, Verdict.FAILED))
                .append("\" errors=\"0\" skipped=\"")
                .append(count(checks, Verdict.BUSY))
                .append("\" time=\"")
                .append(seconds(
                        checks.stream().mapToDouble(CheckResult::seconds).sum()))
                .append("\">\n");
        checks.forEach(check -> testcase(xml, check));
        xml.append("  </testsuite>\n");
    }

    private static void testcase(StringBuilder xml, CheckResult check) {
        var name = check.id() + check.node().map(node -> " on " + node).orElse("");
        xml.append("    <testcase classname=\"")
                .append(escaped(check.cluster()))
                .append("\" name=\"")
                .append(escaped(name))
                .append("\" time=\"")
                .append(seconds(check.seconds()))
                .append('"');
        switch (check.outcome()) {
            case PASSED -> xml.append("/>\n");
            case FAILED -> detail(xml, "failure", check.message());
            case BUSY -> detail(xml, "skipped", "busy: " + check.message());
        }
    }

    private static void detail(StringBuilder xml, String element, String message) {
        xml.append(">\n      <")
                .append(element)
                .append(" message=\"")
                .append(escaped(message))
                .append("\"/>\n    </testcase>\n");
    }

    private static long count(List<CheckResult> checks, Verdict outcome) {
        return checks.stream().filter(check -> check.outcome() == outcome).count();
    }

    private static String seconds(double seconds) {
        return String.format(Locale.ROOT, "%.3f", seconds);
    }

    /** XML 1.0 has no way at all to hold most control characters: they become a question mark. */
    private static String escaped(String text) {
        var out = new StringBuilder(text.length());
        text.codePoints().forEach(sign -> {
            switch (sign) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\n' -> out.append("&#10;");
                case '\r' -> out.append("&#13;");
                case '\t' -> out.append("&#9;");
                default -> out.appendCodePoint(allowed(sign) ? sign : '?');
            }
        });
        return out.toString();
    }

    private static boolean allowed(int sign) {
        return sign >= 0x20 && !(sign >= 0xD800 && sign <= 0xDFFF) && sign != 0xFFFE && sign != 0xFFFF;
    }
}
