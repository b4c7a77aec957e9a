import { type Element, textAt } from '../xml/element.ts';

/** How long identifiers are in all messages (Max35Text). */
export const identifierMax = 35;

/** What banks write where they have no name for something. */
const noName = /^(NONREF|NOREF|NOTPROVIDED|NOT PROVIDED|UNKNOWN)?$/i;

export const isName = (text: string): boolean => !noName.test(text.trim());

/** The text at the first of the paths that has one which is a name. */
export const nameAt = (element: Element, ...paths: readonly string[]): string | undefined =>
  paths.map((path) => textAt(element, path)).find((text) => text !== undefined && isName(text));
