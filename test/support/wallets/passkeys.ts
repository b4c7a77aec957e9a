/** Passkeys of a wallet, by an authenticator in software. */
import { randomBytes } from 'node:crypto';
import type { Client, Json } from '../http/client.ts';
import { expectStatus } from '../resources/flows.ts';
import { type SoftwareAuthenticator, softwareAuthenticator } from './software-authenticator.ts';
import { newClientKey } from './wallet-client.ts';
import { addCredential, createWallet, verify } from './wallets.ts';

export const site = { rpId: 'example.test', origin: 'https://wallet.example.test' };
/** The client key of every sign-in. */
export const key = newClientKey();
export const newChallenge = () => randomBytes(32).toString('base64url');

export const registration = (authenticator: SoftwareAuthenticator, challenge = newChallenge()) => ({
  type: 'PASSKEY',
  nickname: "Ada's phone (work)",
  challenge,
  attestation: { ...authenticator.create(challenge), transports: ['internal', 'hybrid'] },
});

/** A wallet whose only credential is a passkey. */
export async function walletWithPasskey(client: Client, options: object = {}) {
  const { accountId } = await createWallet(client);
  const authenticator = softwareAuthenticator({ ...site, ...options });
  const call = addCredential(client, accountId, registration(authenticator));
  return { accountId, authenticator, credential: expectStatus(await call(), 201) };
}

export const passkeyChallenge = async (client: Client, { id }: Json): Promise<Json> => {
  const body = { clientPublicKey: key.publicKey };
  return expectStatus(await client.post(`/auth/credentials/${id}/challenge`, body), 200);
};

export const signInByPasskey = (client: Client, { id }: Json, assertion: object, requestId: string) =>
  verify(client, id, { assertion }, { 'request-id': requestId });
