package io.deepsite.service.page;

import io.deepsite.diag.Diagnostic;
import java.util.List;

public record ProblemModel(Frame frame, List<Diagnostic> diagnostics) {}
