package io.deepsite.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.diag.Code;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each refused form is one that jinjava answers otherwise than Python's jinja2, or silently, or not at all. */
class TemplateRulesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{ d | to_nice_yaml }}",
                "{{ d | combine(e) }}",
                "{{ a | ansible.utils.ipaddr }}",
                "{{ s is match('a.*') }}",
                "{% if s is search('a') %}y{% endif %}",
                "{{ 'y' if s is version('1', '>') else 'n' }}",
                "{{ lookup('file', '/etc/passwd') }}",
                "{{ namespace(x=1) }}",
                "{{ 'a b'.split() }}",
                "{{ s.startswith('a') }}",
                "{{ l[-1] }}",
                "{{ l[1:2] }}",
                "{{ 'yes' if a }}",
                "{{ a if b else c if d else e }}",
                "{{ '%03d' % n }}",
                "{{ -7 % 3 }}",
                "{{ 6 / 2 }}",
                "{{ 2 ** 3 }}",
                "{{ 'a' ~ 1 + 2 }}",
                "{{ l | join('\\n') }}",
                "{{ not a == b }}",
                "{{ not a in b }}",
                "{{ not a is defined }}",
                "{{ a | length is even }}",
                "{{ 1 < x < 3 }}",
                "{{ a eq b }}",
                "{{ empty a }}",
                "{{ a ? b : c }}",
                "{{ a && b }}",
                "{{ None }}",
                "{{ s | indent(2) }}",
                "{{ l | sort(attribute='name') }}",
                "{{ l | join(', ', attribute='name') }}",
                "{{ loop.previtem }}",
                "{{ secret('key') | upper }}",
                "{{ 'x' if a else secret('key') }}",
                "{{ fact('node', 'address') | length }}",
                "{% for x in l %}{{ x }}{% else %}none{% endfor %}",
                "{% for x in l if x %}{{ x }}{% endfor %}",
                "{% for x in l recursive %}{{ x }}{% endfor %}",
                "{% for x in l %}{% set y = x %}{% endfor %}",
                "{% set x %}text{% endset %}",
                "{% macro m() %}{% endmacro %}",
                "{% include 'other' %}",
                "{% import 'other' as o %}",
                "{% extends 'other' %}",
                "{% filter upper %}x{% endfilter %}",
                "{% raw %}{{ x }}{% endraw %}",
                "{% unless a %}{% endunless %}",
                "{% do l.append(1) %}",
                "{% print x %}"
            })
    void refusesWhatJinjavaWouldAnswerOtherwise(String template) {
        var faults = faults(template);

        assertThat(faults).isNotEmpty().allMatch(code -> code == Code.TEMPLATE_CONSTRUCT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{{ a", "{% if a %}x", "{% for x in l %}{% endif %}", "{% endfor %}", "{# never closed"})
    void refusesWhatIsNotClosed(String template) {
        assertThat(faults(template)).contains(Code.TEMPLATE_SYNTAX);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{ a.b['c'][0] }}",
                "{{ l | map(attribute='name') | sort | join(', ') }}",
                "{{ l | selectattr('x', 'equalto', y) | list | length }}",
                "{{ 'yes' if a and not b else '' }}",
                "{{ (n * 95) // 100 }}",
                "{% if a is not defined or b not in c %}x{% elif not (a == b) %}y{% else %}z{% endif %}",
                "{% for k, v in d.items() %}{{ k }}{% if not loop.last %},{% endif %}{% endfor %}",
                "{% for i in range(1, n) %}{{ loop.index0 }}{% endfor %}",
                "{% set x = a | default('b') %}{{ x }}",
                "{# a | nofilter #}{{ '{{ % | is match' }}",
                "{{ secret('munge_key') }}",
                "{{ (a | length) is even }}",
                "plain }} text %}"
            })
    void allowsWhatBothAnswerAlike(String template) {
        assertThat(faults(template)).isEmpty();
    }

    @Test
    void namesTheLineOfEachFault() {
        var source = new RoleText("x.j2", "a\n{{ b | nosuch }}\n\n{% nothing %}\n", 1);

        var faults = TemplateRules.faults(source, TemplateScanner.scan(source.text()));

        assertThat(faults).extracting(fault -> fault.where().line()).containsExactly(2, 4);
        assertThat(faults.getFirst().where().text()).isEqualTo("{{ b | nosuch }}");
        assertThat(faults.getFirst().why()).contains("no filter nosuch").contains("join");
    }

    private static List<Code> faults(String template) {
        var source = new RoleText("x.j2", template, 1);
        return TemplateRules.faults(source, TemplateScanner.scan(template)).stream()
                .map(fault -> fault.code())
                .toList();
    }
}
