package io.deepsite.cli;

/** @param name begins with the code that the admin reads: {@code DS2001-not-running} */
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
