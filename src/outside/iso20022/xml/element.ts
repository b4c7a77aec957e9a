/** A part of an XML document: what is read of a bank's files, and what is written into Daybook's. */
export type Element = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Its own text, without that of its children and without the space around it. */
  readonly text: string;
  readonly children: readonly Element[];
};

/**
 * What was read is not what was promised: the file is put aside with this message. What a schema says in it may name a
 * party: it goes beside the file, not into the log.
 */
export class Unreadable extends Error {
  override name = 'Unreadable';
}

/** An element with a text. */
export const leaf = (name: string, text: string, attributes: Element['attributes'] = {}): Element => ({
  name,
  attributes,
  text,
  children: [],
});

/** An element with children, of which those that are left out are `undefined`. */
export const branch = (name: string, ...children: readonly (Element | undefined)[]): Element => ({
  name,
  attributes: {},
  text: '',
  children: children.filter((child) => child !== undefined),
});

/** The children of that name. */
export const all = ({ children }: Element, name: string): readonly Element[] =>
  children.filter((child) => child.name === name);

/** The first element at a path of names, such as `Refs/EndToEndId`. */
export function at(element: Element, path: string): Element | undefined {
  let found: Element | undefined = element;
  for (const name of path.split('/')) found = found?.children.find((child) => child.name === name);
  return found;
}

/** The text at the first of the paths that has one. */
export function textAt(element: Element, ...paths: readonly string[]): string | undefined {
  for (const path of paths) {
    const text = at(element, path)?.text;
    if (text) return text;
  }
  return undefined;
}

/** Throws `Unreadable` where the element is missing. */
export function need(element: Element, path: string): Element {
  const found = at(element, path);
  if (!found) throw new Unreadable(`${element.name} has no ${path}`);
  return found;
}

/** Throws `Unreadable` where the text is missing or longer than the schema has it. */
export function needText(element: Element, path: string, longest: number): string {
  const { text } = need(element, path);
  if (text === '' || text.length > longest)
    throw new Unreadable(`${path} of ${element.name} must have 1 to ${longest} characters`);
  return text;
}
