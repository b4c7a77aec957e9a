/** How long identifiers are in all messages (Max35Text). */
export const identifierMax = 35;
