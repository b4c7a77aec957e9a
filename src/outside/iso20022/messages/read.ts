/** Reads a file of the bank, of the messages and versions that this rail knows. */
import { type Element, Unreadable } from '../xml/element.ts';
import { type Bounds, parseXml, type Schema } from '../xml/xml.ts';
import { readStatement } from './camt-053.ts';
import type { BankMessage } from './model.ts';
import { readReturns } from './pacs-004.ts';
import { namespaceOf } from './pain-001.ts';
import { readStatusReport } from './pain-002.ts';

type Read = (root: Element) => BankMessage;

/** docs/how-to/connect-a-bank.md lists them. */
export const readable: Readonly<Record<string, Read>> = {
  'pain.002.001.03': readStatusReport,
  'pain.002.001.10': readStatusReport,
  'camt.053.001.02': readStatement,
  'camt.053.001.08': readStatement,
  'pacs.004.001.02': readReturns,
  'pacs.004.001.09': readReturns,
};

const readers = new Map(Object.entries(readable).map(([message, read]) => [namespaceOf(message), read]));

/** Throws `Unreadable`, with nothing of it read, for a file that is torn, of another kind, or wrong in any part. */
export function readMessage(
  bytes: Uint8Array,
  bounds: Bounds,
  schemaFor: (namespace: string) => Schema | undefined,
): BankMessage {
  const { namespace, root } = parseXml(bytes, bounds, schemaFor);
  const read = readers.get(namespace);
  if (!read || root.name !== 'Document')
    throw new Unreadable(`not a message that is read here: ${Object.keys(readable).join(', ')}`);
  if (root.children.length > 1) throw new Unreadable('more than one message');
  return read(root);
}
