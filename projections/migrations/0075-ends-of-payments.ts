/**
 * Changes no table. The log says since then of a payment that had arrived whether its refund fails, and of one that was
 * called off at once whose action it was: a version that does not know it would pay the refund, and count the action.
 */
export const endsOfPayments = {
  async up(): Promise<void> {},
};
