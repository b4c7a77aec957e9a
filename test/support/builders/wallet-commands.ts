import type { NewSession, Proof } from '../../../src/domain/wallets/commands.ts';
import type { Leg } from '../../../src/domain/wallets/signed-requests.ts';
import { type AuthMethodId, idOf } from '../../../src/kernel/ids.ts';
import { msLater } from '../time/clock.ts';
import { uuidNumber } from '../values/ids.ts';
import { expiresAt, keyNumber, oauthSessionId, of, requestId, sessionId } from './wallets.ts';

/** The first leg of a signed request: it asks what is to be signed. */
export const ask: Leg = { kind: 'ask', request: { requestId, payloadToSign: 'text', expiresAt } };
/** The second leg, signed with the session of the e-mail credential. */
export const stamped: Leg = { kind: 'stamped', requestId, sessionId };
/** The second leg, signed with the session of the OAUTH credential. */
export const stampedByOther: Leg = { kind: 'stamped', requestId, sessionId: oauthSessionId };

export const nextSession: NewSession = {
  sessionId: idOf('Session', uuidNumber(799)),
  publicKey: keyNumber(2),
  expiresAt: msLater(900_000),
};

/** Starts `nextSession`, with a code, a token or a passkey. */
export const startSession = (credentialId: AuthMethodId, proof: Proof, at = of.at) =>
  ({ type: 'StartSession', ...of, at, credentialId, session: nextSession, proof }) as const;
