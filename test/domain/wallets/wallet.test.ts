import { describe, expect, it } from 'vitest';
import type { CredentialIdentity, SignedOperation, WalletEvent } from '../../../src/domain/wallets/events.ts';
import type { Leg } from '../../../src/domain/wallets/signed-requests.ts';
import { type NewSession, type Proof, wallet } from '../../../src/domain/wallets/wallet.ts';
import { idOf } from '../../../src/kernel/ids.ts';
import { customerId } from '../../support/builders/identities.ts';
import {
  authorisedBy,
  bodySha256,
  byEmail,
  byPasskey,
  byToken,
  codeId,
  codeIssued,
  codeRefused,
  credentialAdded,
  credentialRevoked,
  customerEmailChanged,
  emailId,
  expiresAt,
  keyNumber,
  oauthAdded,
  oauthId,
  oauthSessionId,
  oauthSessionIssued,
  of,
  passkeyAdded,
  passkeyChallenged,
  passkeyId,
  phraseMade,
  privacyChanged,
  requestId,
  sessionId,
  sessionIssued,
  sessionRevoked,
  signatureRequested,
  walletExported,
  walletId,
} from '../../support/builders/wallets.ts';
import { msLater } from '../../support/clock.ts';
import { uuidNumber } from '../../support/ids.ts';
import { specFor, stateOf } from '../../support/spec.ts';

const given = specFor(wallet);
const payloadToSign = 'text';
const ask: Leg = { kind: 'ask', request: { requestId, payloadToSign, expiresAt } };
const stamped: Leg = { kind: 'stamped', requestId, sessionId };
const byOther: Leg = { kind: 'stamped', requestId, sessionId: oauthSessionId };

const add = (identity: CredentialIdentity, leg: Leg = ask, code?: { codeId: string; expiresAt: Date }) =>
  ({
    type: 'AddCredential',
    ...of,
    leg,
    bodySha256,
    code,
    credential: { credentialId: passkeyId, nickname: 'ada', identity },
  }) as const;
const next: NewSession = {
  sessionId: idOf('Session', uuidNumber(799)),
  publicKey: keyNumber(2),
  expiresAt: msLater(900_000),
};
const start = (credentialId: typeof emailId, proof: Proof, at = of.at) =>
  ({ type: 'StartSession', ...of, at, credentialId, session: next, proof }) as const;

/** A wallet with two credentials and a session by each. */
const lived: readonly WalletEvent[] = [
  credentialAdded(),
  codeIssued(),
  sessionIssued(),
  oauthAdded(),
  oauthSessionIssued(),
];

describe('the first credential', () => {
  it('is added without a signature, with its code', () => {
    const code = { codeId, expiresAt };
    given()
      .when(add(byEmail, ask, code))
      .then(credentialAdded({ credentialId: passkeyId }), codeIssued({ credentialId: passkeyId }));
  });

  it('with the headers of a signature is refused', () => {
    given().when(add(byEmail, stamped)).thenRejected('UNAUTHORIZED');
  });
});

describe('a further credential', () => {
  it('leads to a challenge, then to the credential', () => {
    given(...lived)
      .when(add(byPasskey))
      .then(signatureRequested('addCredential'));
    given(...lived, signatureRequested('addCredential'))
      .when(add(byPasskey, stamped))
      .then(credentialAdded({ credentialId: passkeyId, identity: byPasskey, authorisedBy }));
  });

  it.each([
    ['a second e-mail', byEmail, 'EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS'],
    ['the same identity', byToken, 'INVALID_INPUT'],
  ] as const)('is refused on both legs when it is %s', (_what, identity, code) => {
    given(...lived)
      .when(add(identity))
      .thenRejected(code);
    given(...lived, signatureRequested('addCredential'))
      .when(add(identity, stamped))
      .thenRejected(code);
  });

  it('is refused when it is a second passkey, or its challenge was used', () => {
    given(passkeyAdded()).when(add(byPasskey)).thenRejected('PASSKEY_CREDENTIAL_ALREADY_EXISTS');
    given(...lived, passkeyAdded(), credentialRevoked(passkeyId))
      .when(add(byPasskey))
      .thenRejected('INVALID_INPUT');
  });
});

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
    command: (leg) => ({ type: 'RefreshSession', ...of, leg, bodySha256, sessionId, session: next }),
    effect: sessionIssued({ ...next, proof: { type: 'REFRESH', authorisedBy } }),
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

  it('asks for a signature, and happens with one', () => {
    given(...lived)
      .when(command(ask))
      .then(requested);
    given(...lived, requested)
      .when(command(stamped))
      .then(effect);
  });

  it('happens once for a challenge', () => {
    const again = given(...lived, requested, effect).when(command(stamped));
    again.thenRejected('UNAUTHORIZED');
  });

  it('is refused without its challenge, or when that has expired', () => {
    given(...lived)
      .when(command(stamped))
      .thenRejected('UNAUTHORIZED');
    const late = { ...command(stamped), at: expiresAt };
    given(...lived, requested)
      .when(late)
      .thenRejected('UNAUTHORIZED');
  });

  it('is refused for the challenge of another operation, resource or body', () => {
    const other = operation === 'exportWallet' ? 'updatePrivacy' : 'exportWallet';
    given(...lived, signatureRequested(other, target))
      .when(command(stamped))
      .thenRejected('UNAUTHORIZED');
    const elsewhere = signatureRequested(operation, 'elsewhere');
    given(...lived, elsewhere)
      .when(command(stamped))
      .thenRejected('UNAUTHORIZED');
    const otherBody = signatureRequested(operation, target, { bodySha256: 'cd'.repeat(32) });
    given(...lived, otherBody)
      .when(command(stamped))
      .thenRejected('WALLET_SIGNATURE_BODY_MISMATCH');
  });

  it('is refused for a session that has ended', () => {
    const after = { ...command(stamped), at: msLater(900_000) };
    const later = signatureRequested(operation, target, { ...affected, expiresAt: msLater(1_000_000) });
    given(...lived, later)
      .when(after)
      .thenRejected('WALLET_SIGNATURE_INVALID');
    given(...lived, requested, sessionRevoked())
      .when(command(stamped))
      .thenRejected(
        // The challenge is used up by the revocation of the same request here.
        'UNAUTHORIZED',
      );
  });
});

describe('who may sign', () => {
  it('for a refresh is the session itself', () => {
    const command = { type: 'RefreshSession', ...of, bodySha256, sessionId, session: next } as const;
    given(...lived, signatureRequested('refreshSession', sessionId))
      .when({ ...command, leg: byOther })
      .thenRejected('WALLET_SIGNATURE_INVALID');
  });

  it('for a revocation is a session of another credential', () => {
    const command = { type: 'RevokeCredential', ...of, bodySha256, credentialId: oauthId } as const;
    given(...lived, signatureRequested('revokeCredential', oauthId))
      .when({ ...command, leg: byOther })
      .thenRejected('WALLET_SIGNATURE_INVALID');
  });

  it('for ending a session is any session of the wallet', () => {
    const command = { type: 'RevokeSession', ...of, bodySha256, sessionId } as const;
    given(...lived, signatureRequested('revokeSession', sessionId))
      .when({ ...command, leg: byOther })
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

describe('revoking a credential', () => {
  it('leaves the last one on both legs', () => {
    const revoke = { type: 'RevokeCredential', ...of, bodySha256, credentialId: emailId } as const;
    given(credentialAdded())
      .when({ ...revoke, leg: ask })
      .thenRejected('INVALID_INPUT');
  });

  it('ends its sessions', () => {
    const state = stateOf(wallet, ...lived, credentialRevoked(oauthId));
    expect([...state.sessions.keys()]).toEqual([sessionId]);
  });

  it('of an unknown one is a 404', () => {
    const revoke = { type: 'RevokeCredential', ...of, bodySha256, credentialId: passkeyId } as const;
    given(...lived)
      .when({ ...revoke, leg: ask })
      .thenRejected('REFERENCE_NOT_FOUND');
  });
});

describe('the change of e-mail address', () => {
  const command = {
    type: 'ChangeCustomerEmail',
    ...of,
    bodySha256,
    leg: stamped,
    customerId,
    email: 'new@example.com',
  } as const;
  it('is refused when the set of e-mail credentials has changed', () => {
    const affected = [oauthId];
    given(...lived, signatureRequested('updateCustomer', customerId, { affected }))
      .when(command)
      .thenRejected('EMAIL_OTP_CREDENTIAL_SET_CHANGED');
  });

  it('takes the code that went to the former address away', () => {
    const before = [credentialAdded(), codeIssued(), customerEmailChanged()];
    const proof = { type: 'EMAIL_OTP', codeId } as const;
    given(...before)
      .when(start(emailId, proof))
      .thenRejected('UNAUTHORIZED');
    expect(stateOf(wallet, ...before).credentials.get(emailId)).toMatchObject({
      nickname: 'new@example.com',
      identity: { email: 'new@example.com' },
    });
  });
});

describe('the recovery phrase', () => {
  const record = (fingerprint: string) => ({ type: 'RecordRecoveryPhrase', ...of, fingerprint }) as const;
  it('is made once, whatever is there later', () => {
    given()
      .when(record('ab'.repeat(32)))
      .then(phraseMade());
    given(phraseMade())
      .when(record('cd'.repeat(32)))
      .thenNothing();
  });
});

describe('a code', () => {
  const proof = { type: 'EMAIL_OTP', codeId } as const;
  const refuse = { type: 'RefuseOneTimeCode', ...of, credentialId: emailId, codeId } as const;
  const issued = sessionIssued({ ...next });

  it('starts a session once', () => {
    given(credentialAdded(), codeIssued()).when(start(emailId, proof)).then(issued);
    given(credentialAdded(), codeIssued(), issued).when(start(emailId, proof)).thenRejected('UNAUTHORIZED');
  });

  it('is good for five tries', () => {
    const tries = (n: number) => [credentialAdded(), codeIssued(), ...Array.from({ length: n }, codeRefused)];
    given(...tries(4))
      .when(refuse)
      .then(codeRefused());
    given(...tries(4))
      .when(start(emailId, proof))
      .then(issued);
    given(...tries(5))
      .when(refuse)
      .thenRejected('UNAUTHORIZED');
    given(...tries(5))
      .when(start(emailId, proof))
      .thenRejected('UNAUTHORIZED');
  });

  it('is void when it is old, or a newer one was issued', () => {
    given(credentialAdded(), codeIssued())
      .when(start(emailId, proof, expiresAt))
      .thenRejected('UNAUTHORIZED');
    given(credentialAdded(), codeIssued(), codeIssued({ codeId: uuidNumber(732) }))
      .when(start(emailId, proof))
      .thenRejected('UNAUTHORIZED');
  });

  it('is for e-mail credentials', () => {
    given(oauthAdded()).when(start(oauthId, proof)).thenRejected('INVALID_INPUT');
    given(oauthAdded()).when(start(emailId, proof)).thenRejected('REFERENCE_NOT_FOUND');
    const issue = { type: 'IssueOneTimeCode', ...of, code: { codeId, expiresAt } } as const;
    const email = 'ada@example.com';
    given(oauthAdded())
      .when({ ...issue, credentialId: oauthId, email })
      .thenRejected('INVALID_INPUT');
    given(credentialAdded())
      .when({ ...issue, credentialId: emailId, email })
      .then(codeIssued());
    const former = { ...issue, credentialId: emailId, email: 'former@example.com' };
    given(credentialAdded()).when(former).thenRejected('CONFLICT');
  });
});

describe('a token', () => {
  const proof = byToken;
  it('starts sessions for its identity only', () => {
    given(oauthAdded())
      .when(start(oauthId, proof))
      .then(sessionIssued({ ...next, credentialId: oauthId, proof: { type: 'OAUTH' } }));
    for (const change of [{ issuer: 'x' }, { audience: 'x' }, { subject: 'x' }])
      given(oauthAdded())
        .when(start(oauthId, { ...proof, ...change }))
        .thenRejected('UNAUTHORIZED');
  });
});

describe('a passkey', () => {
  const proof = (counter: number) => ({ type: 'PASSKEY', requestId, counter }) as const;
  const issued = (counter: number) =>
    sessionIssued({ ...next, credentialId: passkeyId, proof: proof(counter) });

  it('starts one session for its challenge, and its counter is kept', () => {
    const challenged = [passkeyAdded(), passkeyChallenged()];
    given(...challenged)
      .when(start(passkeyId, proof(6)))
      .then(issued(6));
    given(...challenged, issued(6))
      .when(start(passkeyId, proof(7)))
      .thenRejected('UNAUTHORIZED');
    given(...challenged, issued(6), passkeyChallenged())
      .when(start(passkeyId, proof(6)))
      .thenRejected('UNAUTHORIZED');
  });

  it.each([5, 4, 0])('is refused with the counter %i after 5', (counter) => {
    given(passkeyAdded(), passkeyChallenged())
      .when(start(passkeyId, proof(counter)))
      .thenRejected('UNAUTHORIZED');
  });

  it('may have a counter that stays zero', () => {
    const synced = credentialAdded({
      credentialId: passkeyId,
      identity: { ...byPasskey, counter: 0 },
    });
    given(synced, passkeyChallenged())
      .when(start(passkeyId, proof(0)))
      .then(issued(0));
  });

  it('is refused without a challenge, with an older one, or a late one', () => {
    given(passkeyAdded())
      .when(start(passkeyId, proof(6)))
      .thenRejected('UNAUTHORIZED');
    const newer = passkeyChallenged({ requestId: idOf('Request', uuidNumber(722)) });
    given(passkeyAdded(), passkeyChallenged(), newer)
      .when(start(passkeyId, proof(6)))
      .thenRejected('UNAUTHORIZED');
    given(passkeyAdded(), passkeyChallenged())
      .when(start(passkeyId, proof(6), expiresAt))
      .thenRejected('UNAUTHORIZED');
  });
});
