/** Ids of the interface are `Kind:uuid`. */

/** Enough of it to tell it from its neighbours: the end, since the beginning is the time it was made. */
export function shortOf(id: string): string {
  const [kind, rest] = id.includes(':') ? id.split(/:(.*)/s) : ['', id];
  const tail = (rest ?? '').length > 12 ? `…${(rest ?? '').slice(-8)}` : rest;
  return kind ? `${kind} ${tail}` : (tail ?? id);
}

/** `OUTGOING_PAYMENT.REFUND_FAILED` as words. */
export const wordsOf = (code: string): string => code.toLowerCase().replaceAll(/[_.]/g, ' ');
