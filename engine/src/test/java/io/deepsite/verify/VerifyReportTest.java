package io.deepsite.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.verify.CheckResult.Verdict;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class VerifyReportTest {
    private static final String NASTY = "a<b & \"c\" > d\nsecond\tline \u0001\u001b[31m ä \ud83d\ude00";

    private final VerifyReport report = new VerifyReport(List.of(
            new CheckResult("hpc", "job", Verdict.PASSED, Optional.of("node-1"), 0.5, "ran"),
            new CheckResult("hpc", "job", Verdict.BUSY, Optional.of("node-12"), 120, "runs job 7"),
            new CheckResult("k8s", "pod", Verdict.FAILED, Optional.empty(), 3.25, NASTY)));

    @Test
    void isATableForPeople() {
        assertThat(report.table().lines().limit(3))
                .containsExactly(
                        "passed  hpc  job  node-1   0.5 s    ran",
                        "busy    hpc  job  node-12  120.0 s  runs job 7",
                        "failed  k8s  pod  -        3.3 s    a<b & \"c\" > d");
        assertThat(report.table()).endsWith("1 passed, 1 failed, 1 busy\n");
    }

    @Test
    void isJsonForPrograms() {
        assertThat(report.json())
                .contains("\"green\" : false")
                .contains("\"outcome\" : \"busy\"")
                .contains("\"node\" : \"node-12\"")
                .contains("\"node\" : null");
    }

    @Test
    void isWellFormedJunitXmlWhateverTheMessagesHold() throws Exception {
        var document = parse(report.junit());

        var suites = document.getElementsByTagName("testsuite");
        assertThat(suites.getLength()).isEqualTo(2);
        var hpc = (Element) suites.item(0);
        assertThat(hpc.getAttribute("tests")).isEqualTo("2");
        assertThat(hpc.getAttribute("skipped")).isEqualTo("1");
        var failure = (Element) document.getElementsByTagName("failure").item(0);
        assertThat(failure.getAttribute("message")).isEqualTo(NASTY.replaceAll("[\t\u0001\u001b]", "?"));
    }

    @Test
    void namesWhatFailed() {
        var fault = report.fault().orElseThrow();

        assertThat(fault.why()).contains("1 of 3 checks failed").contains("k8s pod: a<b");
    }

    @Test
    void playsNoTricksWithTheTerminal() {
        assertThat(report.table()).doesNotContain("\u001b");
    }

    @Test
    void nothingCheckedProvesNothing() {
        var empty = new VerifyReport(List.of());

        assertThat(empty.green()).isFalse();
        assertThat(empty.fault().orElseThrow().why()).contains("Nothing was checked");
    }

    private static Document parse(String xml) throws Exception {
        return DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
    }
}
