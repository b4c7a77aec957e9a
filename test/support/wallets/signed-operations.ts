/** Every operation of a wallet that a session signs. */
import { randomBytes } from 'node:crypto';
import type { Client, Json } from '../http/client.ts';
import { softwareAuthenticator } from './software-authenticator.ts';
import { newClientKey } from './wallet-client.ts';
import {
  addCredential,
  type Call,
  exportWallet,
  refreshSession,
  revokeCredential,
  revokeSession,
  type Session,
  setPrivacy,
} from './wallets.ts';

export type Signable = {
  readonly accountId: string;
  readonly session: Session;
  /** A second credential, whose sessions are not `session`. */
  readonly oauth: Json;
};

export type SignedOperation = {
  readonly name: string;
  readonly success: number;
  /** A call of the operation on this wallet; `other` changes what can be changed in its body. */
  readonly on: (client: Client, wallet: Signable, other?: boolean) => Call;
  readonly hasBody: boolean;
};

const site = { rpId: 'example.test', origin: 'https://wallet.example.test' };
const keys = [newClientKey(), newClientKey()] as const;
const keyOf = (other = false) => keys[other ? 1 : 0].publicKey;

export const signedOperations: readonly SignedOperation[] = [
  {
    name: 'add a credential',
    success: 201,
    hasBody: true,
    on(client, { accountId }, other) {
      const challenge = randomBytes(32).toString('base64url');
      const attestation = softwareAuthenticator(site).create(challenge);
      const body = { type: 'PASSKEY', nickname: other ? 'tablet' : 'phone', challenge, attestation };
      return addCredential(client, accountId, body);
    },
  },
  {
    name: 'revoke a credential',
    success: 204,
    hasBody: false,
    on: (client, { oauth }) => revokeCredential(client, oauth.id),
  },
  {
    name: 'revoke a session',
    success: 204,
    hasBody: false,
    on: (client, { session }) => revokeSession(client, session.id),
  },
  {
    name: 'refresh a session',
    success: 201,
    hasBody: true,
    on: (client, { session }, other) => refreshSession(client, session.id, keyOf(other)),
  },
  {
    name: 'export the wallet',
    success: 200,
    hasBody: true,
    on: (client, { accountId }, other) => exportWallet(client, accountId, keyOf(other)),
  },
  {
    name: 'change its privacy',
    success: 200,
    hasBody: true,
    on: (client, { accountId }, other) => setPrivacy(client, accountId, !other),
  },
];
