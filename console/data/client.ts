/** The interface, as the signed-in token: the browser adds the session's cookie, which counts only beside this header. */
import { createClient, type Daybook, DaybookError, NoAnswer, type Schemas } from '@daybook/client';
import { parseExactly } from '../kernel/json.ts';
import { waitFor } from './waiting.ts';

export const version = '2025-10-13';

const signedIn = {
  baseUrl: `${location.origin}/${version}`,
  headers: { 'X-Daybook-Console': '1' },
  retries: 1,
  parse: parseExactly,
};

export const daybook: Daybook = createClient({ ...signedIn, onPause: waitFor });

/** Of no page that waits: what it is refused the page says in its own words. */
export const follower: Pick<Daybook, 'watchTransactions'> = createClient(signedIn);

export type Transaction = Schemas['Transaction'];
export type Customer = Schemas['Customer'];
export type Account = Schemas['InternalAccount'];
export type Permission = 'VIEW' | 'TRANSACT' | 'MANAGE';
export type Session = Schemas['ConsoleSession'];
export type LifeEvent = Schemas['LifeEvent'];

export type Refused = {
  readonly code: string;
  readonly message: string;
  readonly requestId: string | undefined;
};

/** What a person is told of a call that did not succeed. */
export function refusedOf(error: unknown): Refused {
  if (error instanceof DaybookError) {
    const message = error.message.replace(`${error.status} ${error.code}: `, '');
    return { code: error.code, message, requestId: error.requestId };
  }
  const none = { requestId: undefined };
  if (error instanceof NoAnswer)
    return { ...none, code: 'NO_ANSWER', message: 'The service did not answer. Is it running? Try again.' };
  return { ...none, code: 'UNEXPECTED', message: error instanceof Error ? error.message : String(error) };
}

export const isSignedOut = (error: unknown): boolean => error instanceof DaybookError && error.status === 401;
