/** How sessions of a wallet begin. */

import type { Command } from './commands.ts';
import type { WalletEvent } from './events.ts';
import {
  requireCredential,
  requireIdentity,
  requireLiveCode,
  requirePasskeyProof,
  requireSession,
  requireSessionRoom,
} from './rules.ts';
import { signed } from './signed-requests.ts';
import type { Wallet } from './state.ts';

export function refreshSession(command: Command<'RefreshSession'>, state: Wallet): readonly WalletEvent[] {
  const { platformId, accountId, sessionId, session, at } = command;
  return signed(command, state, 'refreshSession', sessionId, {
    rule() {
      requireSession(state, sessionId, at);
      requireSessionRoom(state, 'refresh', at);
    },
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

export function startSession(command: Command<'StartSession'>, state: Wallet): readonly WalletEvent[] {
  const { platformId, accountId, credentialId, session, proof, at } = command;
  const credential = requireCredential(state, credentialId, proof.type);
  requireSessionRoom(state, 'sign-in', at);
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
