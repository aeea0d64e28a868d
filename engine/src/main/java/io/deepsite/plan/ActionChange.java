package io.deepsite.plan;

import io.deepsite.contract.Action;

/** An action that will run ({@code CREATE}) or be undone ({@code DELETE}). */
public record ActionChange(String id, Change change, String does, Action.Impact blast) {}
