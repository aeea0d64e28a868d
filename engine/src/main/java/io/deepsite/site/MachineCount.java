package io.deepsite.site;

import io.deepsite.diag.Code;

/**
 * How many machines a group may have for the part that it plays in a cluster. The same for groups whose count site.yaml
 * says, and for those that an inventory lists.
 *
 * @param part as messages say it: {@code the controller of the cluster hpc}
 * @param why a whole sentence
 */
public record MachineCount(Name group, Rule rule, String part, String why, Code code) {
    /** Numbers that will do. */
    public enum Rule {
        ONE("one"),
        ONE_OR_THREE("one or three"),
        ODD("an odd number of");

        private final String words;

        Rule(String words) {
            this.words = words;
        }

        public boolean allows(int machines) {
            return switch (this) {
                case ONE -> machines == 1;
                case ONE_OR_THREE -> machines == 1 || machines == 3;
                case ODD -> machines % 2 == 1;
            };
        }

        /** {@code one or three machines}. */
        public String of(String things) {
            return words + " " + (this == ONE ? things.substring(0, things.length() - 1) : things);
        }
    }
}
