/** How long identifiers are in all messages (Max35Text). */
export const identifierMax = 35;

/** What banks write where they have no name for something. */
const noName = /^(NONREF|NOREF|NOTPROVIDED|NOT PROVIDED|UNKNOWN)?$/i;

export const isName = (text: string): boolean => !noName.test(text.trim());
