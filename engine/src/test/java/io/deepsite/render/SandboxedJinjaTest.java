package io.deepsite.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hubspot.jinjava.interpret.InterpretException;
import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Templates that {@link TemplateRules} refuses: what they can do if one gets through. */
final class SandboxedJinjaTest {
    private static final SandboxedJinja JINJA = new SandboxedJinja();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{ 'x'|md5 }}",
                "{{ 4 is divisibleby 2 }}",
                "{{ type('x') }}",
                "{% unless false %}x{% endunless %}",
                "{% for a in [1] %}{% if a %}{{ 'x'|md5 }}{% endif %}{% endfor %}"
            })
    void whatTheRulesRefuseIsNotThereWhenATemplateIsRendered(String template) {
        assertThatThrownBy(() -> rendered(template)).isInstanceOf(InterpretException.class);
    }

    @Test
    void whatTheRulesAllowIsThere() {
        assertThat(rendered("{% for a in range(2) %}{% if a is defined %}{{ 'x'|upper }}{% endif %}{% endfor %}"))
                .isEqualTo("XX");
    }

    private static String rendered(String template) {
        var interpreter = JINJA.interpreter(Map.of());
        try (var _ = JinjavaInterpreter.closeablePushCurrent(interpreter).get()) {
            var text = interpreter.render(template);
            if (!interpreter.getErrors().isEmpty()) {
                throw new InterpretException(interpreter.getErrors().toString());
            }
            return text;
        }
    }
}
