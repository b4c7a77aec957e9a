import { describe, expect, it } from 'vitest';
import type { CredentialIdentity } from '../../../src/domain/wallets/events.ts';
import { credentialsMax } from '../../../src/domain/wallets/rules.ts';
import type { Leg } from '../../../src/domain/wallets/signed-requests.ts';
import { wallet } from '../../../src/domain/wallets/wallet.ts';
import { idOf } from '../../../src/kernel/ids.ts';
import { customerId } from '../../support/builders/identities.ts';
import { specFor, stateOf } from '../../support/builders/spec.ts';
import { ask, stamped, startSession } from '../../support/builders/wallet-commands.ts';
import {
  authorisedBy,
  bodySha256,
  byEmail,
  byPasskey,
  byToken,
  codeId,
  codeIssued,
  credentialAdded,
  credentialRevoked,
  customerEmailChanged,
  emailId,
  expiresAt,
  keyNumber,
  oauthId,
  of,
  passkeyAdded,
  passkeyId,
  sessionId,
  sessionIssued,
  sessionRevoked,
  signatureRequested,
  signedInTwice,
} from '../../support/builders/wallets.ts';
import { uuidNumber } from '../../support/values/ids.ts';

const given = specFor(wallet);

const add = (identity: CredentialIdentity, leg: Leg = ask, code?: { codeId: string; expiresAt: Date }) =>
  ({
    type: 'AddCredential',
    ...of,
    leg,
    bodySha256,
    code,
    credential: { credentialId: passkeyId, nickname: 'ada', identity },
  }) as const;

const lived = signedInTwice();

describe('the first credential', () => {
  it('is added without a signature, with its code', () => {
    const code = { codeId, expiresAt };
    given()
      .when(add(byEmail, ask, code))
      .then(credentialAdded({ credentialId: passkeyId }), codeIssued({ credentialId: passkeyId }));
  });

  it('is refused with the headers of a signature', () => {
    given().when(add(byEmail, stamped)).thenRejected('UNAUTHORIZED');
  });
});

describe('a further credential', () => {
  it('asks for a signature first', () =>
    given(...lived)
      .when(add(byPasskey))
      .then(signatureRequested('addCredential')));

  it('is added with the signature', () => {
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

  it('is refused when it is a second passkey', () =>
    given(passkeyAdded()).when(add(byPasskey)).thenRejected('PASSKEY_CREDENTIAL_ALREADY_EXISTS'));

  it('is refused when the wallet has as many as one may have', () => {
    const identity = (n: number) => ({ ...byToken, subject: `user-${n}` });
    const others = Array.from({ length: credentialsMax - 2 }, (_, n) =>
      credentialAdded({ credentialId: idOf('AuthMethod', uuidNumber(800 + n)), identity: identity(n) }),
    );
    const last = add(identity(credentialsMax));
    given(...lived, ...others)
      .when(last)
      .thenRejected('INVALID_INPUT');
    const [first] = others;
    given(
      ...lived,
      ...others,
      credentialRevoked(first?.data.credentialId),
      signatureRequested('addCredential'),
    )
      .when(add(identity(0), stamped))
      .then(credentialAdded({ credentialId: passkeyId, identity: identity(0), authorisedBy }));
  });

  it('is refused when its challenge made a passkey that was revoked since', () => {
    given(...lived, passkeyAdded(), credentialRevoked(passkeyId))
      .when(add(byPasskey))
      .thenRejected('INVALID_INPUT');
  });
});

describe('the revocation of a credential', () => {
  it('is refused for the last one before anything is signed', () => {
    const revoke = { type: 'RevokeCredential', ...of, bodySha256, credentialId: emailId } as const;
    given(credentialAdded())
      .when({ ...revoke, leg: ask })
      .thenRejected('INVALID_INPUT');
  });

  it('ends the sessions of the credential', () => {
    const state = stateOf(wallet, ...lived, credentialRevoked(oauthId));
    expect([...state.sessions.keys()]).toEqual([sessionId]);
  });

  it('is refused for one that the wallet does not have', () => {
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

  it('ends the sessions of the credential, but for the one that has signed', () => {
    const others = [721, 722].map((n) => idOf('Session', uuidNumber(n)));
    given(
      ...lived,
      ...others.map((id, n) => sessionIssued({ sessionId: id, publicKey: keyNumber(n + 7) })),
      signatureRequested('updateCustomer', customerId, { affected: [emailId] }),
    )
      .when(command)
      .then(customerEmailChanged(), ...others.map((id) => sessionRevoked(id)));
  });

  const changed = [credentialAdded(), codeIssued(), customerEmailChanged()];

  it('takes the code that went to the former address away', () =>
    given(...changed)
      .when(startSession(emailId, { type: 'EMAIL_OTP', codeId }))
      .thenRejected('UNAUTHORIZED'));

  it('gives the credential the new address', () =>
    expect(stateOf(wallet, ...changed).credentials.get(emailId)).toMatchObject({
      nickname: 'new@example.com',
      identity: { email: 'new@example.com' },
    }));
});
