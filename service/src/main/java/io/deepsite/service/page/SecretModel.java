package io.deepsite.service.page;

/** A secret, on the one page that shows it. */
public record SecretModel(Frame frame, String site, String name, String value) {}
