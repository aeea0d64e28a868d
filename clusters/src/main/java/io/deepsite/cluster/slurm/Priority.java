package io.deepsite.cluster.slurm;

import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Key;
import io.deepsite.site.Span;

/** What a job's place in the queue is made of: a weight for each factor, each of which is between 0 and 1. */
public record Priority(
        @Key(
                value = "Weight of the fair share: who used less than their part goes first.",
                defaultValue = "10000",
                impact = ChangeImpact.FILE,
                min = 0,
                max = Priority.MOST)
        int fairShare,

        @Key(
                value = "Weight of the QOS' priority.",
                defaultValue = "10000",
                impact = ChangeImpact.FILE,
                min = 0,
                max = Priority.MOST)
        int qos,

        @Key(
                value = "Weight of the time in the queue.",
                defaultValue = "1000",
                impact = ChangeImpact.FILE,
                min = 0,
                max = Priority.MOST)
        int age,

        @Key(
                value = "Weight of the size of a job: large ones go first.",
                defaultValue = "0",
                impact = ChangeImpact.FILE,
                min = 0,
                max = Priority.MOST)
        int jobSize,

        @Key(
                value = "After this time in the queue the age counts in full.",
                defaultValue = "7d",
                impact = ChangeImpact.FILE)
        Span maxAge,

        @Key(
                value = "After this time what was used counts half for the fair share.",
                defaultValue = "7d",
                impact = ChangeImpact.FILE)
        Span halfLife) {
    static final long MOST = 1_000_000_000;
    /** Of a file that says nothing of it. */
    static final Priority USUAL = new Priority(10_000, 10_000, 1000, 0, Span.parse("7d"), Span.parse("7d"));
}
