import { describe, it } from 'vitest';
import { wallet } from '../../../src/domain/wallets/wallet.ts';
import { type AuthMethodId, idOf } from '../../../src/kernel/ids.ts';
import { specFor } from '../../support/builders/spec.ts';
import { nextSession, startSession as start } from '../../support/builders/wallet-commands.ts';
import {
  authorisedBy,
  byPasskey,
  byToken,
  codeId,
  codeIssued,
  codeRefused,
  credentialAdded,
  emailId,
  expiresAt,
  oauthAdded,
  oauthId,
  of,
  passkeyAdded,
  passkeyChallenged,
  passkeyId,
  requestId,
  sessionIssued,
} from '../../support/builders/wallets.ts';
import { uuidNumber } from '../../support/values/ids.ts';

const given = specFor(wallet);
const refreshed = (credentialId: AuthMethodId) =>
  sessionIssued({ credentialId, proof: { type: 'REFRESH', authorisedBy } });

describe('a code', () => {
  const proof = { type: 'EMAIL_OTP', codeId } as const;
  const issued = sessionIssued({ ...nextSession });

  it('starts a session', () =>
    given(credentialAdded(), codeIssued()).when(start(emailId, proof)).then(issued));

  it('starts a session after a session of its credential was refreshed', () =>
    given(credentialAdded(), codeIssued(), refreshed(emailId)).when(start(emailId, proof)).then(issued));

  it('starts no second session', () =>
    given(credentialAdded(), codeIssued(), issued).when(start(emailId, proof)).thenRejected('UNAUTHORIZED'));

  it('is void when it is old', () =>
    given(credentialAdded(), codeIssued())
      .when(start(emailId, proof, expiresAt))
      .thenRejected('UNAUTHORIZED'));

  it('is void when a newer one was issued', () =>
    given(credentialAdded(), codeIssued(), codeIssued({ codeId: uuidNumber(732) }))
      .when(start(emailId, proof))
      .thenRejected('UNAUTHORIZED'));

  it('starts no session of an OAUTH credential', () =>
    given(oauthAdded()).when(start(oauthId, proof)).thenRejected('INVALID_INPUT'));

  it('starts no session of a credential that the wallet does not have', () =>
    given(oauthAdded()).when(start(emailId, proof)).thenRejected('REFERENCE_NOT_FOUND'));
});

describe('a code that was mistyped', () => {
  const proof = { type: 'EMAIL_OTP', codeId } as const;
  const refuse = { type: 'RefuseOneTimeCode', ...of, credentialId: emailId, codeId } as const;
  const mistyped = (times: number) => [
    credentialAdded(),
    codeIssued(),
    ...Array.from({ length: times }, codeRefused),
  ];

  it('may be mistyped a fifth time', () =>
    given(...mistyped(4))
      .when(refuse)
      .then(codeRefused()));

  it('starts a session at the fifth try', () =>
    given(...mistyped(4))
      .when(start(emailId, proof))
      .then(sessionIssued({ ...nextSession })));

  it('is not counted a sixth time', () =>
    given(...mistyped(5))
      .when(refuse)
      .thenRejected('UNAUTHORIZED'));

  it('starts no session after five tries', () =>
    given(...mistyped(5))
      .when(start(emailId, proof))
      .thenRejected('UNAUTHORIZED'));
});

describe('issuing a code', () => {
  const code = { codeId, expiresAt };
  const issue = { type: 'IssueOneTimeCode', ...of, code, email: 'ada@example.com' } as const;

  it('is possible for an e-mail credential', () =>
    given(credentialAdded())
      .when({ ...issue, credentialId: emailId })
      .then(codeIssued()));

  it('is refused for an OAUTH credential', () =>
    given(oauthAdded())
      .when({ ...issue, credentialId: oauthId })
      .thenRejected('INVALID_INPUT'));

  it('is refused where the credential has another address by now', () =>
    given(credentialAdded())
      .when({ ...issue, credentialId: emailId, email: 'former@example.com' })
      .thenRejected('CONFLICT'));
});

describe('a token', () => {
  it('starts a session for its identity', () =>
    given(oauthAdded())
      .when(start(oauthId, byToken))
      .then(sessionIssued({ ...nextSession, credentialId: oauthId, proof: { type: 'OAUTH' } })));

  it.each([{ issuer: 'x' }, { audience: 'x' }, { subject: 'x' }])(
    'starts no session for an identity with %j',
    (change) =>
      given(oauthAdded())
        .when(start(oauthId, { ...byToken, ...change }))
        .thenRejected('UNAUTHORIZED'),
  );
});

describe('a passkey', () => {
  const challenged = [passkeyAdded(), passkeyChallenged()];
  const proof = (counter: number) => ({ type: 'PASSKEY', requestId, counter }) as const;
  const issued = (counter: number) =>
    sessionIssued({ ...nextSession, credentialId: passkeyId, proof: proof(counter) });

  it('starts a session for its challenge', () =>
    given(...challenged)
      .when(start(passkeyId, proof(6)))
      .then(issued(6)));

  it('starts a session for its challenge after a session of it was refreshed', () =>
    given(...challenged, refreshed(passkeyId))
      .when(start(passkeyId, proof(6)))
      .then(issued(6)));

  it('starts no second session for a challenge', () =>
    given(...challenged, issued(6))
      .when(start(passkeyId, proof(7)))
      .thenRejected('UNAUTHORIZED'));

  it('keeps the counter of its last session', () =>
    given(...challenged, issued(6), passkeyChallenged())
      .when(start(passkeyId, proof(6)))
      .thenRejected('UNAUTHORIZED'));

  it.each([5, 4, 0])('is refused with the counter %i after 5', (counter) =>
    given(...challenged)
      .when(start(passkeyId, proof(counter)))
      .thenRejected('UNAUTHORIZED'),
  );

  it('may have a counter that stays zero', () => {
    const synced = credentialAdded({
      credentialId: passkeyId,
      identity: { ...byPasskey, counter: 0 },
    });
    given(synced, passkeyChallenged())
      .when(start(passkeyId, proof(0)))
      .then(issued(0));
  });

  it('is refused without a challenge', () =>
    given(passkeyAdded())
      .when(start(passkeyId, proof(6)))
      .thenRejected('UNAUTHORIZED'));

  it('is refused with an older challenge than the last', () =>
    given(...challenged, passkeyChallenged({ requestId: idOf('Request', uuidNumber(722)) }))
      .when(start(passkeyId, proof(6)))
      .thenRejected('UNAUTHORIZED'));

  it('is refused when its challenge has expired', () =>
    given(...challenged)
      .when(start(passkeyId, proof(6), expiresAt))
      .thenRejected('UNAUTHORIZED'));
});
