/** Ids of the interface are `Kind:uuid`. */

/** Enough of it to tell it from its neighbours: the end, since the beginning is the time it was made. */
export function shortOf(id: string): string {
  const [kind, rest] = id.includes(':') ? id.split(/:(.*)/s) : ['', id];
  const tail = (rest ?? '').length > 12 ? `…${(rest ?? '').slice(-8)}` : rest;
  return kind ? `${kind} ${tail}` : (tail ?? id);
}

/** `OUTGOING_PAYMENT.REFUND_FAILED` as words. */
export const wordsOf = (code: string): string => code.toLowerCase().replaceAll(/[_.]/g, ' ');

/** The streams of the log whose events a page tells of, by the kind of what they are about. */
const streams = [
  ['Transaction', 'transaction'],
  ['InternalAccount', 'account'],
] as const;

/** The stream of a payment or an account; of anything else what stands there, which the log does not have. */
export function streamOf(id: string): string {
  const [kind, uuid] = id.trim().split(':');
  const found = streams.find(([name]) => name === kind);
  return found ? `${found[1]}-${uuid}` : id;
}

/** What the stream is about. */
export function objectOf(stream: string): string {
  const at = stream.indexOf('-');
  const found = streams.find(([, category]) => category === stream.slice(0, at));
  return found ? `${found[0]}:${stream.slice(at + 1)}` : stream;
}
