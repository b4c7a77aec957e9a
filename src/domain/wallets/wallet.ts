/**
 * An embedded wallet: its credentials, sessions and challenges. One stream holds them all, so that its rules (one
 * EMAIL_OTP, one PASSKEY, at least one credential, each challenge good once) hold however many requests come at once.
 */

import type { Decider } from '../../kernel/decider.ts';
import type { WalletCommand } from './commands.ts';
import { addCredential, changeEmail } from './credentials.ts';
import type { WalletEvent } from './events.ts';
import { evolveWallet } from './evolve.ts';
import {
  requireAddress,
  requireCredential,
  requireLiveCode,
  requireRevocable,
  requireSession,
} from './rules.ts';
import { refreshSession, startSession } from './sessions.ts';
import { signed } from './signed-requests.ts';
import { noWallet, type Wallet } from './state.ts';

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
