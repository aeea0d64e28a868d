package io.deepsite.state;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How an operation as a whole ended. */
public enum Outcome {
    @JsonProperty("passed")
    PASSED,
    @JsonProperty("failed")
    FAILED
}
