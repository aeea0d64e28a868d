package io.deepsite.lxd;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.deepsite.state.PlainConstructors;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** LXD's JSON: snake case; unknown fields of replies are ignored. */
final class Json {
    static final JsonMapper MAPPER = JsonMapper.builder()
            .addModule(new PlainConstructors())
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .changeDefaultPropertyInclusion(inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL))
            .build();

    private Json() {}
}
