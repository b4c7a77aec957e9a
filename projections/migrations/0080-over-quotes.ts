/** An agent's action that waits ends with its quote since then: a version that does not know it would say that somebody decided. */
export const overQuotes = {
  async up(): Promise<void> {},
};
