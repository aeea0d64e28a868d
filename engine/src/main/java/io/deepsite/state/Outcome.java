package io.deepsite.state;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How something that deepsite did as a whole ended. */
public enum Outcome {
    @JsonProperty("passed")
    PASSED,
    @JsonProperty("failed")
    FAILED
}
