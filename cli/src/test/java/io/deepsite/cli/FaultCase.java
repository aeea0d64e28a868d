package io.deepsite.cli;

/** @param name the area, then a name that begins with the code of the message: {@code lxd/DS2001-not-running} */
record FaultCase(String name, Script script) {
    @FunctionalInterface
    interface Script {
        void play(FaultStory story) throws Exception;
    }

    @Override
    public String toString() {
        return name;
    }
}
