/** What has run out is forgotten as later events come. */

import type { AuthMethodId, RequestId } from '../../kernel/ids.ts';
import type { WalletEvent } from './events.ts';
import { type Credential, credentialOf, isLive, type Wallet } from './state.ts';

/** So many wrong codes void the current one. */
export const codeTriesMax = 5;
/** Unanswered challenges that a wallet has. Former versions took further ones, and forgot the oldest. */
export const requestsMax = 100;
/** Further ones, to take a credential or a session away: whoever asks for the others does not keep an owner from that. */
export const revocationsMax = 10;

const withEntry = <K, V>(map: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> =>
  new Map(map).set(key, value);

const filtered = <K, V>(map: ReadonlyMap<K, V>, keep: (value: V) => boolean): ReadonlyMap<K, V> =>
  new Map([...map].filter(([, value]) => keep(value)));

const changed = (
  wallet: Wallet,
  id: AuthMethodId,
  change: (credential: Credential) => Credential,
): Wallet => ({
  ...wallet,
  credentials: withEntry(wallet.credentials, id, change(credentialOf(wallet, id))),
});

/** The challenge that led to an event is used up. */
const used = (wallet: Wallet, authorisedBy: { readonly requestId: RequestId } | undefined): Wallet =>
  authorisedBy
    ? {
        ...wallet,
        requests: filtered(wallet.requests, ({ requestId }) => requestId !== authorisedBy.requestId),
      }
    : wallet;

export function evolveWallet(state: Wallet, { type, data }: WalletEvent): Wallet {
  const wallet = used(state, 'authorisedBy' in data ? data.authorisedBy : undefined);
  switch (type) {
    case 'CredentialAdded': {
      const { credentialId: id, nickname, identity, at } = data;
      const credential = { id, nickname, identity, createdAt: at, updatedAt: at };
      const usedChallenges =
        identity.type === 'PASSKEY'
          ? wallet.usedChallenges.with(identity.challenge, true)
          : wallet.usedChallenges;
      return { ...wallet, credentials: withEntry(wallet.credentials, id, credential), usedChallenges };
    }
    case 'CredentialRevoked':
      return {
        ...wallet,
        credentials: filtered(wallet.credentials, ({ id }) => id !== data.credentialId),
        sessions: filtered(wallet.sessions, ({ credentialId }) => credentialId !== data.credentialId),
      };
    case 'CustomerEmailChanged':
      return data.credentialIds.reduce(
        (folded, id) =>
          changed(folded, id, ({ code: _void, ...credential }) => ({
            ...credential,
            nickname: data.email,
            identity: { type: 'EMAIL_OTP', email: data.email },
            updatedAt: data.at,
          })),
        { ...wallet, emailChanges: wallet.emailChanges + 1 },
      );
    case 'OneTimeCodeIssued': {
      const { credentialId, codeId, expiresAt } = data;
      const code = { codeId, expiresAt, triesLeft: codeTriesMax };
      return changed(wallet, credentialId, (credential) => ({ ...credential, code }));
    }
    case 'OneTimeCodeRefused':
      return changed(wallet, data.credentialId, ({ code, ...credential }) =>
        code && code.triesLeft > 1
          ? { ...credential, code: { ...code, triesLeft: code.triesLeft - 1 } }
          : credential,
      );
    case 'PasskeyChallengeIssued': {
      const { credentialId, requestId, challenge, clientPublicKey, expiresAt } = data;
      const issued = { requestId, challenge, clientPublicKey, expiresAt };
      return changed(wallet, credentialId, (credential) => ({ ...credential, challenge: issued }));
    }
    case 'SessionIssued':
      return issueSession(wallet, data);
    case 'SessionRevoked':
      return { ...wallet, sessions: filtered(wallet.sessions, ({ id }) => id !== data.sessionId) };
    case 'SignatureRequested': {
      const { requestId, operation, target, bodySha256, payloadToSign, affected, expiresAt, at } = data;
      const request = { requestId, operation, target, bodySha256, payloadToSign, affected, expiresAt };
      const most = requestsMax + revocationsMax;
      const live = [...filtered(wallet.requests, (one) => isLive(one, at))].slice(1 - most);
      return { ...wallet, requests: new Map([...live, [requestId, request]]) };
    }
    case 'RecoveryPhraseMade':
      return { ...wallet, phraseFingerprint: data.fingerprint };
    case 'WalletExported':
      return wallet;
    case 'WalletPrivacyChanged':
      return { ...wallet, privateEnabled: data.privateEnabled };
  }
}

type Issued = Extract<WalletEvent, { type: 'SessionIssued' }>['data'];

function issueSession(state: Wallet, data: Issued): Wallet {
  const { sessionId: id, credentialId, publicKey, expiresAt, proof, at } = data;
  const wallet = proof.type === 'REFRESH' ? used(state, proof.authorisedBy) : state;
  const session = { id, credentialId, publicKey, expiresAt };
  const live = filtered(wallet.sessions, (one) => isLive(one, at));
  const issued = { ...wallet, sessions: withEntry(live, id, { ...session, createdAt: at }) };
  return changed(issued, credentialId, ({ code, challenge, ...credential }) => {
    const kept = {
      ...credential,
      ...(code && proof.type !== 'EMAIL_OTP' && { code }),
      ...(challenge && proof.type !== 'PASSKEY' && { challenge }),
    };
    return proof.type === 'PASSKEY' && credential.identity.type === 'PASSKEY'
      ? { ...kept, identity: { ...credential.identity, counter: proof.counter } }
      : kept;
  });
}
