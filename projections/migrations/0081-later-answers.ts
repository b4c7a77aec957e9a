/**
 * Changes no table. The log has since then what a rail answers later: that it has begun a transfer which it had taken, and
 * that what had arrived has not come back. A version that does not know it could not go on with that payment.
 */
export const laterAnswers = {
  async up(): Promise<void> {},
};
