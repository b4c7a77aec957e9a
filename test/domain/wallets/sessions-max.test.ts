import { describe, it } from 'vitest';
import { sessionsMax, signInsMax } from '../../../src/domain/wallets/rules.ts';
import { wallet } from '../../../src/domain/wallets/wallet.ts';
import { idOf } from '../../../src/kernel/ids.ts';
import { specFor } from '../../support/builders/spec.ts';
import { ask, nextSession, stamped, startSession } from '../../support/builders/wallet-commands.ts';
import {
  authorisedBy,
  bodySha256,
  byToken,
  oauthId,
  of,
  sessionId,
  sessionIssued,
  sessionRevoked,
  signatureRequested,
  signedInTwice,
} from '../../support/builders/wallets.ts';
import { msLater } from '../../support/time/clock.ts';
import { uuidNumber } from '../../support/values/ids.ts';

const given = specFor(wallet);
const lastsMs = 900_000;
/** Signed in twice, and so many active sessions in all. */
const withSessions = (count: number) => [
  ...signedInTwice(),
  ...Array.from({ length: count - 2 }, (_, n) =>
    sessionIssued({
      sessionId: idOf('Session', uuidNumber(1_000 + n)),
      proof: { type: 'OAUTH' },
      credentialId: oauthId,
    }),
  ),
];
const refresh = { type: 'RefreshSession', ...of, sessionId, bodySha256, session: nextSession } as const;
const requested = signatureRequested('refreshSession', sessionId);
const refreshed = sessionIssued({ ...nextSession, proof: { type: 'REFRESH', authorisedBy } });
const full = { retryAfterSeconds: lastsMs / 1_000 };

describe('a wallet with as many active sessions as it may have', () => {
  it('renews none, on either call, until one has ended', () => {
    const sessions = withSessions(sessionsMax);
    given(...sessions)
      .when({ ...refresh, leg: ask })
      .thenRejected('RATE_LIMITED', full);
    given(...sessions, requested)
      .when({ ...refresh, leg: stamped })
      .thenRejected('RATE_LIMITED', full);
    given(...withSessions(sessionsMax - 1), requested)
      .when({ ...refresh, leg: stamped })
      .then(refreshed);
  });

  it('lets its owner sign in all the same, and revoke', () => {
    const signedIn = sessionIssued({ ...nextSession, credentialId: oauthId, proof: { type: 'OAUTH' } });
    given(...withSessions(sessionsMax))
      .when(startSession(oauthId, byToken))
      .then(signedIn);
    const all = withSessions(sessionsMax + signInsMax);
    given(...all)
      .when(startSession(oauthId, byToken))
      .thenRejected('RATE_LIMITED', full);
    given(...all, signatureRequested('revokeSession', sessionId))
      .when({ type: 'RevokeSession', ...of, sessionId, bodySha256, leg: stamped })
      .then(sessionRevoked());
  });

  it('has room for others once they have run out', () => {
    const at = msLater(lastsMs);
    given(...withSessions(sessionsMax + signInsMax))
      .when(startSession(oauthId, byToken, at))
      .then(sessionIssued({ ...nextSession, credentialId: oauthId, proof: { type: 'OAUTH' }, at }));
  });
});
