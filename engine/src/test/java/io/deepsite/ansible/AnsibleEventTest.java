package io.deepsite.ansible;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AnsibleEventTest {
    @Test
    void aTaskReportsItsMessageAndItsStderr() {
        assertThat(failed("non-zero return code", "FAULT\tDS3202\twhy\tfix\n", null)
                        .message())
                .isEqualTo("non-zero return code\nFAULT\tDS3202\twhy\tfix");
        assertThat(failed("no such file", "no such file", null).message()).isEqualTo("no such file");
    }

    @Test
    void aLoopReportsBothOfItsFirstFailedElement() {
        var loop = List.<Map<String, Object>>of(
                Map.of("status", "ok", "msg", "fine", "stderr", "a warning"),
                Map.of("status", "failed", "msg", "non-zero return code", "stderr", "FAULT\tDS3221\twhy\tfix"),
                Map.of("status", "failed", "msg", "another"));

        assertThat(failed("One or more items failed", null, loop).message())
                .isEqualTo("non-zero return code\nFAULT\tDS3221\twhy\tfix");
    }

    private static AnsibleEvent failed(
            @Nullable String msg, @Nullable String stderr, @Nullable List<Map<String, Object>> loop) {
        return new AnsibleEvent(
                "result", "play", "role", "task", "host", "failed", false, false, false, msg, stderr, null, loop);
    }
}
