/**
 * An embedded wallet: its credentials, sessions and challenges. One stream holds them all, so that its rules (one
 * EMAIL_OTP, one PASSKEY, at least one credential, each challenge good once) hold however many requests come at once.
 */
import type { Decider } from '../../kernel/decider.ts';
import type {
  AuthMethodId,
  CustomerId,
  InternalAccountId,
  PlatformId,
  RequestId,
  SessionId,
} from '../../kernel/ids.ts';
import type { CredentialIdentity, SignedOperation, WalletEvent } from './events.ts';
import {
  requireAddress,
  requireCredential,
  requireIdentity,
  requireLiveCode,
  requireNew,
  requirePasskeyProof,
  requireRevocable,
  requireSameCredentials,
  requireSession,
} from './rules.ts';
import { authorised, type Leg } from './signed-requests.ts';
import { evolveWallet, noWallet, type Wallet } from './state.ts';

type Of = {
  readonly platformId: PlatformId;
  readonly accountId: InternalAccountId;
  readonly at: Date;
};
type Signed = { readonly leg: Leg; readonly bodySha256: string };
type IssuedCode = { readonly codeId: string; readonly expiresAt: Date };
export type NewSession = {
  readonly sessionId: SessionId;
  readonly publicKey: string;
  readonly expiresAt: Date;
};
/** What the caller showed, checked as far as the wallet's own state is not needed for it. */
export type Proof =
  | { readonly type: 'EMAIL_OTP'; readonly codeId: string }
  | { readonly type: 'OAUTH'; readonly issuer: string; readonly audience: string; readonly subject: string }
  | { readonly type: 'PASSKEY'; readonly requestId: RequestId; readonly counter: number };

export type WalletCommand =
  | (Of &
      Signed & {
        readonly type: 'AddCredential';
        readonly credential: {
          readonly credentialId: AuthMethodId;
          readonly nickname: string;
          readonly identity: CredentialIdentity;
        };
        /** For EMAIL_OTP. */
        readonly code?: IssuedCode | undefined;
      })
  | (Of & Signed & { readonly type: 'RevokeCredential'; readonly credentialId: AuthMethodId })
  | (Of & Signed & { readonly type: 'RevokeSession'; readonly sessionId: SessionId })
  | (Of &
      Signed & {
        readonly type: 'RefreshSession';
        readonly sessionId: SessionId;
        readonly session: NewSession | undefined;
      })
  | (Of & Signed & { readonly type: 'ExportWallet' })
  | (Of & Signed & { readonly type: 'UpdatePrivacy'; readonly privateEnabled: boolean })
  | (Of &
      Signed & {
        readonly type: 'ChangeCustomerEmail';
        readonly customerId: CustomerId;
        readonly email: string;
      })
  | (Of & {
      readonly type: 'IssueOneTimeCode';
      readonly credentialId: AuthMethodId;
      /** Where it was mailed to. */
      readonly email: string;
      readonly code: IssuedCode;
    })
  | (Of & { readonly type: 'RecordRecoveryPhrase'; readonly fingerprint: string })
  | (Of & {
      readonly type: 'RefuseOneTimeCode';
      readonly credentialId: AuthMethodId;
      readonly codeId: string;
    })
  | (Of & {
      readonly type: 'IssuePasskeyChallenge';
      readonly credentialId: AuthMethodId;
      readonly requestId: RequestId;
      readonly challenge: string;
      readonly clientPublicKey: string;
      readonly expiresAt: Date;
    })
  | (Of & {
      readonly type: 'StartSession';
      readonly credentialId: AuthMethodId;
      readonly session: NewSession;
      readonly proof: Proof;
    });
type Command<T extends WalletCommand['type']> = Extract<WalletCommand, { type: T }>;

export const wallet: Decider<Wallet, WalletCommand, WalletEvent> = {
  initial: noWallet,

  decide(command, state) {
    const { accountId, at } = command;
    switch (command.type) {
      case 'AddCredential':
        return addCredential(command, state);
      case 'RevokeCredential': {
        const { credentialId } = command;
        return signed(command, state, 'revokeCredential', credentialId, {
          rule: () => requireRevocable(state, credentialId),
          effect: (authorisedBy) => [
            { type: 'CredentialRevoked', data: { accountId, credentialId, authorisedBy, at } },
          ],
        });
      }
      case 'RevokeSession': {
        const { sessionId } = command;
        return signed(command, state, 'revokeSession', sessionId, {
          rule: () => requireSession(state, sessionId, at),
          effect: (authorisedBy) => [
            { type: 'SessionRevoked', data: { accountId, sessionId, authorisedBy, at } },
          ],
        });
      }
      case 'RefreshSession':
        return refreshSession(command, state);
      case 'ExportWallet':
        return signed(command, state, 'exportWallet', accountId, {
          effect: (authorisedBy) => [{ type: 'WalletExported', data: { accountId, authorisedBy, at } }],
        });
      case 'UpdatePrivacy': {
        const { privateEnabled } = command;
        return signed(command, state, 'updatePrivacy', accountId, {
          effect: (authorisedBy) => [
            { type: 'WalletPrivacyChanged', data: { accountId, privateEnabled, authorisedBy, at } },
          ],
        });
      }
      case 'ChangeCustomerEmail':
        return changeEmail(command, state);
      case 'IssueOneTimeCode': {
        const { credentialId, email, code } = command;
        requireAddress(requireCredential(state, credentialId, 'EMAIL_OTP'), email);
        return [{ type: 'OneTimeCodeIssued', data: { accountId, credentialId, ...code, at } }];
      }
      case 'RecordRecoveryPhrase': {
        const { fingerprint } = command;
        if (state.phraseFingerprint !== undefined) return [];
        return [{ type: 'RecoveryPhraseMade', data: { accountId, fingerprint, at } }];
      }
      case 'RefuseOneTimeCode': {
        const { credentialId, codeId } = command;
        requireLiveCode(requireCredential(state, credentialId, 'EMAIL_OTP'), codeId, at);
        return [{ type: 'OneTimeCodeRefused', data: { accountId, credentialId, codeId, at } }];
      }
      case 'IssuePasskeyChallenge': {
        const { credentialId, requestId, challenge, clientPublicKey, expiresAt } = command;
        requireCredential(state, credentialId, 'PASSKEY');
        const issued = { accountId, credentialId, requestId, challenge, clientPublicKey, expiresAt, at };
        return [{ type: 'PasskeyChallengeIssued', data: issued }];
      }
      case 'StartSession':
        return startSession(command, state);
    }
  },

  evolve: evolveWallet,
};

type Rules = Pick<Parameters<typeof authorised>[0], 'rule' | 'affected' | 'effect'>;

const signed = (
  { leg, bodySha256, accountId, at }: Of & Signed,
  state: Wallet,
  operation: SignedOperation,
  target: string,
  rules: Rules,
) => authorised({ wallet: state, matter: { operation, target, bodySha256 }, leg, at, accountId, ...rules });

/** The first credential of a wallet needs no signature: there is no key yet that could sign. */
function addCredential(command: Command<'AddCredential'>, state: Wallet): readonly WalletEvent[] {
  const { platformId, accountId, credential, code, leg, at } = command;
  const { credentialId } = credential;
  const rule = () => requireNew(state, credential.identity);
  const added = (authorisedBy?: { readonly requestId: RequestId; readonly sessionId: SessionId }) => {
    const data = { platformId, accountId, ...credential, ...(authorisedBy && { authorisedBy }), at };
    const events: WalletEvent[] = [{ type: 'CredentialAdded', data }];
    if (code) events.push({ type: 'OneTimeCodeIssued', data: { accountId, credentialId, ...code, at } });
    return events;
  };
  if (state.credentials.size > 0 || leg.kind === 'stamped')
    return signed(command, state, 'addCredential', accountId, { rule, effect: added });
  rule();
  return added();
}

function refreshSession(command: Command<'RefreshSession'>, state: Wallet): readonly WalletEvent[] {
  const { platformId, accountId, sessionId, session, at } = command;
  return signed(command, state, 'refreshSession', sessionId, {
    rule: () => requireSession(state, sessionId, at),
    effect(authorisedBy) {
      const { credentialId } = requireSession(state, sessionId, at);
      if (!session) throw new Error('a refresh without a new key');
      const proof = { type: 'REFRESH' as const, authorisedBy };
      return [
        { type: 'SessionIssued', data: { platformId, accountId, credentialId, ...session, proof, at } },
      ];
    },
  });
}

/** The credentials that codes are mailed for. */
export const emailCredentials = (state: Wallet): readonly AuthMethodId[] =>
  [...state.credentials.values()].filter(({ identity }) => identity.type === 'EMAIL_OTP').map(({ id }) => id);

function changeEmail(command: Command<'ChangeCustomerEmail'>, state: Wallet): readonly WalletEvent[] {
  const { platformId, accountId, customerId, email, leg, at } = command;
  const current = emailCredentials(state);
  const asked = leg.kind === 'stamped' ? state.requests.get(leg.requestId)?.affected : current;
  return signed(command, state, 'updateCustomer', customerId, {
    affected: current,
    rule: () => requireSameCredentials(current, asked),
    effect: (authorisedBy) => [
      {
        type: 'CustomerEmailChanged',
        data: { platformId, accountId, customerId, credentialIds: [...current], email, authorisedBy, at },
      },
    ],
  });
}

function startSession(command: Command<'StartSession'>, state: Wallet): readonly WalletEvent[] {
  const { platformId, accountId, credentialId, session, proof, at } = command;
  const credential = requireCredential(state, credentialId, proof.type);
  const common = { platformId, accountId, credentialId, ...session, at };
  switch (proof.type) {
    case 'EMAIL_OTP': {
      const { codeId } = proof;
      requireLiveCode(credential, codeId, at);
      return [{ type: 'SessionIssued', data: { ...common, proof: { type: 'EMAIL_OTP', codeId } } }];
    }
    case 'OAUTH': {
      requireIdentity(credential, proof);
      return [{ type: 'SessionIssued', data: { ...common, proof: { type: 'OAUTH' } } }];
    }
    case 'PASSKEY': {
      requirePasskeyProof(credential, proof, at);
      const { requestId, counter } = proof;
      return [{ type: 'SessionIssued', data: { ...common, proof: { type: 'PASSKEY', requestId, counter } } }];
    }
  }
}
