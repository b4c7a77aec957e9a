import type {
  AuthMethodId,
  CustomerId,
  InternalAccountId,
  PlatformId,
  RequestId,
  SessionId,
} from '../../kernel/ids.ts';
import type { CredentialIdentity } from './events.ts';
import type { Leg } from './signed-requests.ts';

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

export type Command<T extends WalletCommand['type']> = Extract<WalletCommand, { type: T }>;
