/**
 * What a site is made of and in which order it is configured, as data and as pictures: SVG, Mermaid, DOT. Equal machines are
 * one. A function of site.yaml, without a back-end; what was recorded of the machines can be added.
 * Must not know how a site is planned or applied, nor a terminal or a file.
 * Start at {@link io.deepsite.topology.Topology}.
 */
@NullMarked
package io.deepsite.topology;

import org.jspecify.annotations.NullMarked;
