package io.deepsite.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The contract of all {@link LastResults}; the test of an implementation extends this class. */
public abstract class LastResultsContractTest {
    /** Reopens those of one site. */
    protected abstract LastResults open();

    /** Records something of the site. */
    protected abstract void record();

    @Test
    void keepsTheLastOfEachName() {
        record();
        assertThat(open().read("verify")).isEmpty();

        open().keep("verify", "{\"at\": 1}");
        open().keep("verify", "{\"at\": 2, \"what\": \"ä \\u0000\"}");
        open().keep("drift", "[]");

        assertThat(open().read("verify")).contains("{\"at\": 2, \"what\": \"ä \\u0000\"}");
        assertThat(open().read("drift")).contains("[]");
    }

    @Test
    void keepsNothingOfASiteOfWhichNothingIsRecorded() {
        open().keep("drift", "[]");

        assertThat(open().read("drift")).isEmpty();
    }
}
