/** What a test waits for comes in a moment on an idle machine. Only what never comes is told by this limit. */
export const patienceMs = 150_000;

/** A test may wait for one thing after another. */
export const testMaxMs = 2 * patienceMs;

/** For some twenty lives of an installation, each of which takes a minute where the machine has much else to do. */
export const manyLivesMs = 1_500_000;
