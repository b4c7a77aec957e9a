/** A stop that takes longer than this is cut short. */
export const stopMaxMs = 9_500;
