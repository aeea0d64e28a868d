package io.deepsite.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MarkupTest {
    @Test
    void escapesTextAndValues() {
        var markup = new Markup().element("p", "<script>'&'</script>", "title", "\"><img onerror='x'>");

        assertThat(markup)
                .hasToString("<p title=\"&quot;&gt;&lt;img onerror=&#39;x&#39;&gt;\">"
                        + "&lt;script&gt;&#39;&amp;&#39;&lt;/script&gt;</p>");
    }

    /** Neither reaches the page: no XML holds the first, and the second turns the direction of what follows. */
    @Test
    void replacesWhatIsNoText() {
        assertThat(new Markup().text("a\u0000b\u202ec\ud800d\uffff")).hasToString("a?b?c?d?");
    }

    @Test
    void aPageWithAnOpenElementIsAFault() {
        var markup = new Markup().open("p");

        assertThatThrownBy(markup::toString)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("p");
    }
}
