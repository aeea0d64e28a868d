package io.deepsite.plan;

import java.util.Optional;

/** One attribute of a resource. An absent side: the attribute is added, or removed. */
public record FieldChange(String field, Optional<String> before, Optional<String> after) {}
