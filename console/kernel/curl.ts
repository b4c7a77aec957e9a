/** A request of the log as what sends it again. */
import { jsonOf } from './json.ts';

/** What the log has of it. */
export type Repeated = {
  readonly method: string;
  readonly path: string;
  /** Names and values as they are, not as an address has them. */
  readonly query: string;
  readonly requestBody: unknown;
  /** A character for each byte. */
  readonly idempotencyKey: string | null;
  readonly createdAt: string;
};

/** For a shell that reads single quotes literally. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** The request again, with credentials from the environment; what was masked is to be put in. */
export function curlOf(of: Repeated, origin: string, version: string): string {
  const { method, query, requestBody } = of;
  const path = pathOf(of);
  const key = keyOf(of);
  return [
    `curl -X ${method} ${quoted(`${origin}/${version}${path}${queryOf(query)}`)}`,
    /^\/agents\/me(?:\/|$)/.test(path)
      ? '-H "Authorization: Bearer $DAYBOOK_ACCESS_TOKEN"'
      : '-u "$DAYBOOK_CLIENT_ID:$DAYBOOK_CLIENT_SECRET"',
    ...(key ? [`-H ${quoted(`Idempotency-Key: ${key}`)}`] : []),
    ...(requestBody === null || requestBody === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d ${quoted(jsonOf(requestBody) ?? '')}`]),
  ].join(' \\\n  ');
}

/** Without the version, whether or not the log has it. */
const pathOf = ({ path }: Repeated) => path.replace(/^\/\d{4}-\d\d-\d\d(?=\/)/, '');

/** What is masked stays readable: it is to be put in by hand. */
function queryOf(query: string): string {
  const pairs = query.replace(/^\?/, '').split('&').filter(Boolean);
  if (pairs.length === 0) return '';
  const asked = pairs.map((pair): [string, string] => {
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(pair) ?? [];
    return [name, value];
  });
  return `?${String(new URLSearchParams(asked)).replaceAll(encodeURIComponent('•'), '•')}`;
}

/** The key as its caller wrote it. Nothing where there is none, or its bytes are not UTF-8: curl would send others. */
export function keyOf({ idempotencyKey }: Pick<Repeated, 'idempotencyKey'>): string | undefined {
  if (!idempotencyKey) return undefined;
  const bytes = Uint8Array.from(idempotencyKey, (character) => character.charCodeAt(0));
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const keyCountsForMs = 24 * 60 * 60 * 1_000;
const takesKey = /^(?:\/agents\/me)?\/(?:quotes|quotes\/[^/]+\/execute|transfer-in|transfer-out)$/;

/** Whether its key is likely to count still: an earlier request may have used the key first. */
export const isDoneOnce = (of: Repeated, now: number): boolean =>
  of.method === 'POST' &&
  takesKey.test(pathOf(of)) &&
  keyOf(of) !== undefined &&
  now - Date.parse(of.createdAt) < keyCountsForMs;
