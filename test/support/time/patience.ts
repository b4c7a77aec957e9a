/** What a test waits for comes in a moment on an idle machine. Only what never comes is told by this limit. */
export const patienceMs = 150_000;

/** A test may wait for one thing after another. */
export const testMaxMs = 2 * patienceMs;
