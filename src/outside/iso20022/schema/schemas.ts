/** The schemas that files are checked with: Daybook's own for what it writes, and those that the operator provides. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../../infrastructure/error-code.ts';
import { namespaceOf, type OrderVersion } from '../messages/pain-001.ts';
import { compileSchema, type Schema } from '../xml/xml.ts';
import { orderSchema } from './pain-001.ts';

export type Schemas = {
  readonly ofOrders: Schema;
  readonly ofNamespace: (namespace: string) => Schema | undefined;
};

/**
 * `folder` has published schemas under their own names, such as `camt.053.001.08.xsd`. Throws where one of them is no
 * schema, or cannot be read.
 */
export function openSchemas(
  version: OrderVersion,
  folder: string | undefined,
  messages: readonly string[],
): Schemas {
  const provided = new Map<string, Schema>();
  for (const message of folder ? messages : []) {
    const text = readSchema(join(folder ?? '', `${message}.xsd`));
    if (text) provided.set(namespaceOf(message), compileSchema(text));
  }
  const own = compileSchema(orderSchema(version));
  const published = provided.get(namespaceOf(version));
  return {
    ofOrders: {
      problemsOf: (document) => [...own.problemsOf(document), ...(published?.problemsOf(document) ?? [])],
    },
    ofNamespace: (namespace) => provided.get(namespace),
  };
}

function readSchema(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
