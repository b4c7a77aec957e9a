/** The one adapter of the XML library: bytes to elements, elements to text, and schemas. */
import {
  ParseOption,
  XmlCData,
  XmlDocument,
  XmlElement,
  XmlLibError,
  type XmlNode,
  XmlText,
  XmlTreeNode,
  XmlXPath,
  XsdValidator,
} from 'libxml2-wasm';
import { type Element, Unreadable } from './element.ts';

/** Where a document breaks its schema; nothing where it is valid. */
export type Schema = { readonly problemsOf: (document: XmlDocument) => readonly Problem[] };

/** `message` has the text of the element in it, which may be a name or an account. */
export type Problem = { readonly line: number; readonly element: string; readonly message: string };

export type Bounds = { readonly elementsMax: number };

export type Parsed = { readonly namespace: string; readonly root: Element };

/** No entity is expanded and nothing is loaded from elsewhere. */
const parsing = { option: ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_NO_XXE };

/** What banks add to a message: the schemas allow elements of any namespace in it. */
const envelope = 'Envlp';
const nextSibling = XmlXPath.compile('following-sibling::node()[1]');

const problemsMax = 5;
const lessThan = '<'.charCodeAt(0);
const slash = '/'.charCodeAt(0);

/**
 * The document as elements of the root's namespace; those of others are left out of envelopes, and allowed nowhere else.
 * Throws `Unreadable` for what is no XML, has a document type, an element of another namespace or too many elements, or
 * breaks the schema that `schemaFor` knows for its namespace.
 */
export function parseXml(
  bytes: Uint8Array,
  { elementsMax }: Bounds,
  schemaFor: (namespace: string) => Schema | undefined,
): Parsed {
  // What has too many is not even parsed.
  if (startsOf(bytes) > elementsMax) throw new Unreadable(`more than ${elementsMax} elements`);
  return withDocument(
    () => XmlDocument.fromBuffer(bytes, parsing),
    (document) => {
      if (document.dtd) throw new Unreadable('a document type is not allowed');
      const { root } = document;
      const namespace = root.namespaceUri;
      const [problem] = schemaFor(namespace)?.problemsOf(document) ?? [];
      if (problem) throw new Unreadable(`breaks the schema: line ${problem.line}: ${problem.message}`);
      return { namespace, root: toElement(root, namespace) };
    },
  );
}

/**
 * The text of a document in a namespace, as UTF-8. Throws `Unreadable` where it breaks the schema, which tells the element
 * and nothing of what stands in it.
 */
export function writeXml(namespace: string, root: Element, schema: Schema): string {
  return withDocument(
    () => XmlDocument.create(),
    (document) => {
      fill(document.createRoot(root.name, namespace), root);
      const text = document.toString({ format: true });
      // As the bank will read it: parsed anew from the text.
      const [problem] = withDocument(
        () => XmlDocument.fromBuffer(Buffer.from(text), parsing),
        schema.problemsOf,
      );
      if (problem) throw new Unreadable(`breaks the schema: line ${problem.line}: ${problem.element}`);
      return text;
    },
  );
}

/** Throws where the text is no schema. The schema stays in memory for as long as the process runs. */
export function compileSchema(text: string | Uint8Array): Schema {
  const source = XmlDocument.fromBuffer(typeof text === 'string' ? Buffer.from(text) : text, parsing);
  const validator = XsdValidator.fromDoc(source);
  return {
    problemsOf(document) {
      try {
        validator.validate(document);
        return [];
      } catch (error) {
        if (!(error instanceof XmlLibError)) throw error;
        return error.details.slice(0, problemsMax).map(({ line, message }) => ({
          line,
          element: /^Element '(?:\{[^}]*\})?([^']*)'/.exec(message)?.[1] ?? 'an element',
          message: message.trim(),
        }));
      }
    },
  };
}

function withDocument<Result>(open: () => XmlDocument, work: (document: XmlDocument) => Result): Result {
  let document: XmlDocument;
  try {
    document = open();
  } catch (error) {
    if (!(error instanceof XmlLibError)) throw error;
    const [detail] = error.details;
    throw new Unreadable(`not XML: ${(detail?.message ?? error.message).trim()} (line ${detail?.line ?? 1})`);
  }
  try {
    return work(document);
  } finally {
    document.dispose();
  }
}

/** How many elements begin, at the most: comments and the like count too. */
function startsOf(bytes: Uint8Array): number {
  let count = 0;
  for (let from = bytes.indexOf(lessThan); from >= 0; from = bytes.indexOf(lessThan, from + 1)) {
    if (bytes[from + 1] !== slash) count += 1;
  }
  return count;
}

function toElement(node: XmlElement, namespace: string, isEnveloped = false): Element {
  const children: Element[] = [];
  const mayBeOther = isEnveloped || node.name === envelope;
  let text = '';
  for (let child: XmlNode | null = node.firstChild; child; child = after(child)) {
    if (child instanceof XmlText || child instanceof XmlCData) text += child.content;
    else if (!(child instanceof XmlElement)) continue;
    else if (child.namespaceUri === namespace) children.push(toElement(child, namespace, mayBeOther));
    // An entry that has lost its namespace on the way would be lost without a trace.
    else if (!mayBeOther) throw new Unreadable(`${node.name} has an element of another namespace`);
  }
  // The messages have no attributes in a namespace: one that has says nothing of the element.
  const own = node.attrs.filter(({ namespaceUri }) => namespaceUri === '');
  const attributes = Object.fromEntries(own.map(({ name, value }) => [name, value]));
  return { name: node.name, attributes, text: text.trim(), children };
}

/** The library knows the next of all nodes but processing instructions, whatever its types say. */
const after = (node: XmlNode): XmlNode | null =>
  node instanceof XmlTreeNode ? node.next : node.get(nextSibling);

function fill(node: XmlElement, { attributes, text, children }: Element): void {
  for (const [name, value] of Object.entries(attributes)) node.setAttr(name, value);
  if (text !== '') node.addText(text);
  for (const child of children) fill(node.addElement(child.name), child);
}
