/**
 * Changes no table. The log says since then which clocks stand still for an advance alone: a version that does not know
 * it would leave such a clock where it stands.
 */
export const stoppedForAnAdvance = {
  async up(): Promise<void> {},
};
