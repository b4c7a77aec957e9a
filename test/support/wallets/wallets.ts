/** Embedded wallets over HTTP, as a platform and its customer's device use them together. */
import { randomUUID } from 'node:crypto';
import type { Answer, Client, Json } from '../http/client.ts';
import { createCustomer, eventually, expectStatus } from '../resources/flows.ts';
import { newClientKey, openBundle, stampOf } from './wallet-client.ts';

export type Wallet = { readonly customer: Json; readonly accountId: string };

export async function createWallet(client: Client, overrides: object = {}): Promise<Wallet> {
  const customer = await createCustomer(client, { email: 'ada@example.com', ...overrides });
  return { customer, accountId: await walletOf(client, customer) };
}

/** The id of the customer's wallet. */
export async function walletOf(client: Client, { id: customerId }: Json): Promise<string> {
  const query = { customerId, type: 'EMBEDDED_WALLET' };
  const { data } = await eventually(
    async () => expectStatus(await client.get('/customers/internal-accounts', query), 200),
    (listed) => listed.data.length > 0,
  );
  return data[0].id;
}

/** What a signed call is sent with, besides its path and body. */
export type SignedHeaders = Readonly<Record<string, string>>;
export type Call = (headers?: SignedHeaders) => Promise<Answer>;

export type Session = { readonly id: string; readonly privateKey: string; readonly body: Json };

/** The session of an answer, with the key that its bundle holds. */
export async function sessionOf(body: Json, clientPrivateKey: string): Promise<Session> {
  const secret = await openBundle(body.encryptedSessionSigningKey, clientPrivateKey);
  return { id: body.id, privateKey: Buffer.from(secret).toString('hex'), body };
}

export const challengeFor = async (call: Call): Promise<Json> => expectStatus(await call(), 202);

export const stamped = (
  { payloadToSign, requestId }: Json,
  { privateKey }: Pick<Session, 'privateKey'>,
): SignedHeaders => ({
  'service-wallet-signature': stampOf(privateKey, payloadToSign),
  'request-id': requestId,
});

/** Both legs. */
export const signed = async (call: Call, session: Session): Promise<Answer> =>
  call(stamped(await challengeFor(call), session));

export const addCredential =
  (client: Client, accountId: string, body: object): Call =>
  (headers) =>
    client.post('/auth/credentials', { accountId, ...body }, headers);

/** The first credential of a wallet, by e-mail. */
export const addEmail = async (client: Client, { accountId }: Wallet, body: object = {}): Promise<Json> =>
  expectStatus(await addCredential(client, accountId, { type: 'EMAIL_OTP', ...body })(), 201);

export const verify = (client: Client, credentialId: string, body: object, headers: SignedHeaders = {}) =>
  client.post(`/auth/credentials/${credentialId}/verify`, body, headers);

/** Starts a session by the code that the sandbox takes. */
export async function signInByEmail(client: Client, credentialId: string): Promise<Session> {
  const key = newClientKey();
  expectStatus(await client.post(`/auth/credentials/${credentialId}/challenge`), 200);
  const body = { otp: '000000', clientPublicKey: key.publicKey };
  return sessionOf(expectStatus(await verify(client, credentialId, body), 200), key.privateKey);
}

/** A wallet with an EMAIL_OTP credential and a session by it. */
export async function walletWithSession(client: Client, overrides: object = {}) {
  const wallet = await createWallet(client, overrides);
  const credential = await addEmail(client, wallet);
  return { ...wallet, credential, session: await signInByEmail(client, credential.id) };
}

/** The same wallet with a second credential, an OAUTH one of this subject. */
export async function walletWithTwoCredentials(client: Client) {
  const wallet = await walletWithSession(client);
  const subject = randomUUID();
  const call = addCredential(client, wallet.accountId, await byToken(client, subject));
  return { ...wallet, subject, oauth: expectStatus(await signed(call, wallet.session), 201) };
}

export const revokeCredential =
  (client: Client, id: string): Call =>
  (headers) =>
    client.delete(`/auth/credentials/${id}`, headers);

export const revokeSession =
  (client: Client, id: string): Call =>
  (headers) =>
    client.delete(`/auth/sessions/${id}`, headers);

export const refreshSession =
  (client: Client, id: string, clientPublicKey: string): Call =>
  (headers) =>
    client.post(`/auth/sessions/${id}/refresh`, { clientPublicKey }, headers);

export const exportWallet =
  (client: Client, accountId: string, clientPublicKey?: string): Call =>
  (headers) =>
    client.post(`/internal-accounts/${accountId}/export`, { clientPublicKey }, headers);

export const setPrivacy =
  (client: Client, accountId: string, privateEnabled = true): Call =>
  (headers) =>
    client.patch(`/internal-accounts/${accountId}`, { privateEnabled }, headers);

export const oidcToken = async (client: Client, subject: string, more: object = {}): Promise<string> =>
  expectStatus(await client.post('/sandbox/oidc/token', { subject, ...more }), 201).oidcToken;

/** What registers an OAUTH credential. */
export const byToken = async (client: Client, subject: string = randomUUID(), more: object = {}) => ({
  type: 'OAUTH',
  oidcToken: await oidcToken(client, subject, more),
});

/** Starts a session by a token of the sandbox. */
export async function signInByToken(client: Client, credentialId: string, subject: string): Promise<Session> {
  const key = newClientKey();
  const proof = { oidcToken: await oidcToken(client, subject), clientPublicKey: key.publicKey };
  return sessionOf(expectStatus(await verify(client, credentialId, proof), 200), key.privateKey);
}

export const listCredentials = async (client: Client, accountId: string): Promise<Json[]> =>
  expectStatus(await client.get('/auth/credentials', { accountId }), 200).data;
export const listSessions = async (client: Client, accountId: string): Promise<Json[]> =>
  expectStatus(await client.get('/auth/sessions', { accountId }), 200).data;
export const mailsOf = async (client: Client): Promise<Json[]> =>
  expectStatus(await client.get('/sandbox/emails', { limit: '100' }), 200).data;
