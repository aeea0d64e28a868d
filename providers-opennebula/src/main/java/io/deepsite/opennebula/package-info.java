/**
 * The provider for a user of an OpenNebula front-end: virtual networks, images, security groups and virtual machines of a
 * site. Must not know plans, state or SSH. Start at {@code OpenNebulaProvider}; the calls are in {@code oca}.
 */
@NullMarked
package io.deepsite.opennebula;

import org.jspecify.annotations.NullMarked;
