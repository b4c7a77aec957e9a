import { describe, it } from 'vitest';
import type { SignedOperation, WalletEvent } from '../../../src/domain/wallets/events.ts';
import type { Leg } from '../../../src/domain/wallets/signed-requests.ts';
import { wallet } from '../../../src/domain/wallets/wallet.ts';
import { idOf } from '../../../src/kernel/ids.ts';
import { customerId } from '../../support/builders/identities.ts';
import { specFor } from '../../support/builders/spec.ts';
import { ask, nextSession, stamped, stampedByOther } from '../../support/builders/wallet-commands.ts';
import {
  authorisedBy,
  bodySha256,
  credentialRevoked,
  customerEmailChanged,
  emailId,
  expiresAt,
  oauthId,
  oauthSessionId,
  of,
  privacyChanged,
  requestId,
  sessionId,
  sessionIssued,
  sessionRevoked,
  signatureRequested,
  signedInTwice,
  walletExported,
  walletId,
} from '../../support/builders/wallets.ts';
import { msLater } from '../../support/time/clock.ts';
import { uuidNumber } from '../../support/values/ids.ts';

const given = specFor(wallet);
const lived = signedInTwice();

type Command = Parameters<typeof wallet.decide>[0];
type Row = {
  readonly operation: SignedOperation;
  readonly target: string;
  readonly command: (leg: Leg) => Command;
  readonly effect: WalletEvent;
};
const rows: readonly Row[] = [
  {
    operation: 'revokeCredential',
    target: oauthId,
    command: (leg) => ({ type: 'RevokeCredential', ...of, leg, bodySha256, credentialId: oauthId }),
    effect: credentialRevoked(oauthId),
  },
  {
    operation: 'revokeSession',
    target: sessionId,
    command: (leg) => ({ type: 'RevokeSession', ...of, leg, bodySha256, sessionId }),
    effect: sessionRevoked(),
  },
  {
    operation: 'refreshSession',
    target: sessionId,
    command: (leg) => ({ type: 'RefreshSession', ...of, leg, bodySha256, sessionId, session: nextSession }),
    effect: sessionIssued({ ...nextSession, proof: { type: 'REFRESH', authorisedBy } }),
  },
  {
    operation: 'exportWallet',
    target: walletId,
    command: (leg) => ({ type: 'ExportWallet', ...of, leg, bodySha256 }),
    effect: walletExported(),
  },
  {
    operation: 'updatePrivacy',
    target: walletId,
    command: (leg) => ({ type: 'UpdatePrivacy', ...of, leg, bodySha256, privateEnabled: true }),
    effect: privacyChanged(),
  },
  {
    operation: 'updateCustomer',
    target: customerId,
    command: (leg) => ({
      type: 'ChangeCustomerEmail',
      ...of,
      leg,
      bodySha256,
      customerId,
      email: 'new@example.com',
    }),
    effect: customerEmailChanged(),
  },
];

describe.each(rows)('$operation', ({ operation, target, command, effect }) => {
  const affected = operation === 'updateCustomer' ? { affected: [emailId] } : {};
  const requested = signatureRequested(operation, target, affected);

  it('asks for a signature', () =>
    given(...lived)
      .when(command(ask))
      .then(requested));

  it('happens with the signature', () =>
    given(...lived, requested)
      .when(command(stamped))
      .then(effect));

  it('happens once for a challenge', () =>
    given(...lived, requested, effect)
      .when(command(stamped))
      .thenRejected('UNAUTHORIZED'));

  it('is refused without its challenge', () =>
    given(...lived)
      .when(command(stamped))
      .thenRejected('UNAUTHORIZED'));

  it('is refused when its challenge has expired', () =>
    given(...lived, requested)
      .when({ ...command(stamped), at: expiresAt })
      .thenRejected('UNAUTHORIZED'));

  it('is refused for the challenge of another operation', () => {
    const other = operation === 'exportWallet' ? 'updatePrivacy' : 'exportWallet';
    given(...lived, signatureRequested(other, target))
      .when(command(stamped))
      .thenRejected('UNAUTHORIZED');
  });

  it('is refused for the challenge of another resource', () =>
    given(...lived, signatureRequested(operation, 'elsewhere'))
      .when(command(stamped))
      .thenRejected('UNAUTHORIZED'));

  it('is refused for the challenge of another body', () =>
    given(...lived, signatureRequested(operation, target, { bodySha256: 'cd'.repeat(32) }))
      .when(command(stamped))
      .thenRejected('WALLET_SIGNATURE_BODY_MISMATCH'));

  it('is refused for a session that has expired', () => {
    const later = signatureRequested(operation, target, { ...affected, expiresAt: msLater(1_000_000) });
    given(...lived, later)
      .when({ ...command(stamped), at: msLater(900_000) })
      .thenRejected('WALLET_SIGNATURE_INVALID');
  });

  // The revocation of the session has used the same challenge up.
  it('is refused for a session that was revoked', () =>
    given(...lived, requested, sessionRevoked())
      .when(command(stamped))
      .thenRejected('UNAUTHORIZED'));
});

describe('a wallet with 100 challenges that wait for their answers', () => {
  const challenges = [...Array(100).keys()].map((n) =>
    signatureRequested('exportWallet', walletId, {
      requestId: idOf('Request', uuidNumber(n)),
      expiresAt: msLater(300_000 + n * 1_000),
    }),
  );
  const first = challenges[0]?.data.requestId ?? requestId;
  const update = { type: 'UpdatePrivacy', ...of, bodySha256, privateEnabled: true } as const;

  it('takes no further one until one of them runs out', () => {
    const at = msLater(299_001);
    given(...lived, ...challenges)
      .when({ ...update, leg: ask, at })
      .thenRejected('RATE_LIMITED', { retryAfterSeconds: 1 });
    given(...lived, ...challenges)
      .when({ ...update, leg: ask, at: msLater(300_000) })
      .then(signatureRequested('updatePrivacy', walletId, { at: msLater(300_000) }));
  });

  const revocations = [...Array(10).keys()].map((n) =>
    signatureRequested('revokeSession', sessionId, { requestId: idOf('Request', uuidNumber(100 + n)) }),
  );

  it('takes ten more to revoke a credential or a session, and forgets none for them', () => {
    const revoke = { type: 'RevokeSession', ...of, bodySha256, sessionId } as const;
    const credential = { type: 'RevokeCredential', ...of, bodySha256, credentialId: oauthId } as const;
    given(...lived, ...challenges)
      .when({ ...credential, leg: ask })
      .then(signatureRequested('revokeCredential', oauthId));
    given(...lived, ...challenges, ...revocations.slice(1))
      .when({ ...revoke, leg: ask })
      .then(signatureRequested('revokeSession', sessionId));
    const by = { requestId: first, sessionId };
    given(...lived, ...challenges, ...revocations)
      .when({ type: 'ExportWallet', ...of, bodySha256, leg: { kind: 'stamped', ...by } })
      .then({ type: 'WalletExported', data: { accountId: walletId, authorisedBy: by, at: of.at } });
    given(...lived, ...challenges, ...revocations)
      .when({ ...revoke, leg: ask })
      .thenRejected('RATE_LIMITED', { retryAfterSeconds: 300 });
  });

  it('takes no other one before fewer than 100 wait', () => {
    given(...lived, ...challenges, ...revocations)
      .when({ ...update, leg: ask, at: msLater(299_001) })
      .thenRejected('RATE_LIMITED', { retryAfterSeconds: 1 });
    given(...lived, ...challenges, ...revocations)
      .when({ ...update, leg: ask })
      .thenRejected('RATE_LIMITED', { retryAfterSeconds: 300 });
  });

  it('takes the answer to the first of them, and a further one then', () => {
    const answer = { ...of, type: 'ExportWallet', bodySha256 } as const;
    const by = { requestId: first, sessionId };
    const exported = {
      type: 'WalletExported',
      data: { accountId: walletId, authorisedBy: by, at: of.at },
    } as const;
    given(...lived, ...challenges)
      .when({ ...answer, leg: { kind: 'stamped', ...by } })
      .then(exported);
    given(...lived, ...challenges, exported)
      .when({ ...update, leg: ask })
      .then(signatureRequested('updatePrivacy'));
  });
});

describe('the signature of another session of the wallet', () => {
  it('does not refresh a session', () => {
    const command = { type: 'RefreshSession', ...of, bodySha256, sessionId, session: nextSession } as const;
    given(...lived, signatureRequested('refreshSession', sessionId))
      .when({ ...command, leg: stampedByOther })
      .thenRejected('WALLET_SIGNATURE_INVALID');
  });

  it('does not revoke the credential of that session', () => {
    const command = { type: 'RevokeCredential', ...of, bodySha256, credentialId: oauthId } as const;
    given(...lived, signatureRequested('revokeCredential', oauthId))
      .when({ ...command, leg: stampedByOther })
      .thenRejected('WALLET_SIGNATURE_INVALID');
  });

  it('ends a session', () => {
    const command = { type: 'RevokeSession', ...of, bodySha256, sessionId } as const;
    given(...lived, signatureRequested('revokeSession', sessionId))
      .when({ ...command, leg: stampedByOther })
      .then({
        type: 'SessionRevoked',
        data: {
          accountId: walletId,
          sessionId,
          authorisedBy: { requestId, sessionId: oauthSessionId },
          at: of.at,
        },
      });
  });
});
