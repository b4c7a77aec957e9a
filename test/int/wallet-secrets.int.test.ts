import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newMasterKey } from '../../src/infrastructure/secrets/sealing.ts';
import type { Answer, Client, Json } from '../support/http/client.ts';
import { createDatabase, query } from '../support/postgres/database.ts';
import { startTestService, type TestService } from '../support/processes/service.ts';
import { eventually, expectStatus, fund, quoteBody, registerPayee } from '../support/resources/flows.ts';
import { type IdentityProvider, startIdentityProvider } from '../support/servers/identity-provider.ts';
import { codeIn, type MailServer, startMailServer } from '../support/servers/mail-server.ts';
import { softwareAuthenticator } from '../support/wallets/software-authenticator.ts';
import { newClientKey, openBundle, stampOf } from '../support/wallets/wallet-client.ts';
import {
  addCredential,
  type Call,
  challengeFor,
  createWallet,
  type Session,
  sessionOf,
  signed,
  stamped,
  verify,
} from '../support/wallets/wallets.ts';

const audience = 'app';
const masterKey = newMasterKey();
const smtpPassword = randomBytes(12).toString('hex');
const secrets = new Map<string, string>();
const lines: string[] = [];
const refusals: string[] = [];

/** The same client, which keeps every error body. */
const keepingRefusals = (client: Client): Client =>
  Object.fromEntries(
    Object.entries(client).map(([name, call]: [string, (...args: never[]) => Promise<Answer>]) => [
      name,
      async (...args: never[]) => {
        const answer = await call(...args);
        if (answer.status >= 400) refusals.push(JSON.stringify(answer.body));
        return answer;
      },
    ]),
  ) as Client;

function remember(what: string, secret: string): string {
  secrets.set(`${what} ${secrets.size}`, secret);
  return secret;
}

type Run = { readonly databaseUrl: string; readonly service: TestService; readonly client: Client };

async function start(variables: Record<string, string>): Promise<Run> {
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const databaseUrl = await createDatabase();
  const service = await startTestService({
    log,
    databaseUrl,
    variables: { ...variables, DAYBOOK_MASTER_KEY: masterKey },
  });
  remember('API token', service.credentials.clientSecret);
  return { databaseUrl, service, client: keepingRefusals(service.client) };
}

async function started(client: Client, body: Json, privateKey: string): Promise<Session> {
  remember('sealed session key', body.encryptedSessionSigningKey);
  const session = await sessionOf(body, privateKey);
  remember('session key', session.privateKey);
  expectStatus(await client.get('/auth/sessions', { accountId: body.accountId }), 200);
  return session;
}

/** Everything that a wallet can do, each thing wrongly first. */
async function live(client: Client, provider: IdentityProvider, codeFor: (email: string) => Promise<string>) {
  const email = `${randomBytes(4).toString('hex')}@example.com`;
  const wallet = await createWallet(client, { email, kycStatus: 'APPROVED' });
  const { accountId } = wallet;
  const credential = expectStatus(await addCredential(client, accountId, { type: 'EMAIL_OTP' })(), 201);
  const key = newClientKey();
  remember('client key', key.privateKey);
  const code = remember('code', await codeFor(email));
  const clientPublicKey = key.publicKey;
  await verify(client, credential.id, { otp: code === '999999' ? '888888' : '999999', clientPublicKey });
  await verify(client, credential.id, { otp: code, clientPublicKey: 'nonsense' });
  const proof = { otp: code, clientPublicKey };
  const session = await started(
    client,
    expectStatus(await verify(client, credential.id, proof), 200),
    key.privateKey,
  );
  await verify(client, credential.id, proof);

  const token = remember('OIDC token', await provider.token());
  await addCredential(client, accountId, { type: 'OAUTH', oidcToken: `${token}x` })();
  const withToken = addCredential(client, accountId, { type: 'OAUTH', oidcToken: token });
  const asked = await challengeFor(withToken);
  const headers = stamped(asked, session);
  await withToken({ ...headers, 'service-wallet-signature': `${headers['service-wallet-signature']}x` });
  const oauth = expectStatus(await withToken(headers), 201);
  await withToken(headers);
  const oidcToken = remember('OIDC token', await provider.token());
  await started(
    client,
    expectStatus(await verify(client, oauth.id, { oidcToken, clientPublicKey }), 200),
    key.privateKey,
  );

  const authenticator = softwareAuthenticator({ rpId: 'example.test', origin: 'https://example.test' });
  const challenge = randomBytes(32).toString('base64url');
  const passkey = {
    type: 'PASSKEY',
    nickname: 'phone',
    challenge,
    attestation: authenticator.create(challenge),
  };
  const added = await signed(addCredential(client, accountId, passkey), session);
  const { id } = expectStatus(added, 201);
  const issued = expectStatus(
    await client.post(`/auth/credentials/${id}/challenge`, { clientPublicKey }),
    200,
  );
  const byPasskey = { assertion: authenticator.get(issued.challenge) };
  const answer = await verify(client, id, byPasskey, { 'request-id': issued.requestId });
  await started(client, expectStatus(answer, 200), key.privateKey);

  const refresh: Call = (signature) =>
    client.post(`/auth/sessions/${session.id}/refresh`, { clientPublicKey }, signature);
  await started(client, expectStatus(await signed(refresh, session), 201), key.privateKey);
  const exported: Call = (signature) =>
    client.post(`/internal-accounts/${accountId}/export`, { clientPublicKey }, signature);
  const { encryptedWalletCredentials } = expectStatus(await signed(exported, session), 200);
  remember('sealed phrase', encryptedWalletCredentials);
  const phrase = Buffer.from(await openBundle(encryptedWalletCredentials, key.privateKey)).toString();
  remember('phrase', phrase);
  return { ...wallet, session };
}

/** Every row of every table that the service has, and every event, as text. */
async function everythingStored(databaseUrl: string): Promise<string> {
  const tables = await query<{ name: string }>(
    databaseUrl,
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema like 'daybook%' and table_type = 'BASE TABLE'`,
  );
  expect(tables.length).toBeGreaterThan(20);
  const rows = await Promise.all(
    tables.map(({ name }) =>
      query<{ text: string }>(databaseUrl, `select row_to_json(t)::text as text from ${name} t`),
    ),
  );
  return rows
    .flat()
    .map(({ text }) => text)
    .join('\n');
}

/** How a secret could be written: as it is, and encoded. */
const writingsOf = (secret: string): string[] => {
  const bytes = Buffer.from(secret);
  const encodings = ['hex', 'base64', 'base64url'] as const;
  const asBytes = /^([0-9a-f]{2}){16,}$/.test(secret) ? [Buffer.from(secret, 'hex')] : [];
  return [
    secret,
    ...[bytes, ...asBytes].flatMap((one) => encodings.map((encoding) => one.toString(encoding))),
  ].map((text) => text.replace(/=+$/, ''));
};
/** As a word: a code of six digits is part of many numbers. */
const isIn = (text: string, secret: string): boolean =>
  writingsOf(secret).some((writing) =>
    new RegExp(`(?<![\\w.:-])${writing.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}(?![\\w-])`).test(text),
  );

describe('the secrets of a full run of wallets', () => {
  let provider: IdentityProvider;
  let server: MailServer;
  const runs: Run[] = [];
  beforeAll(async () => {
    provider = await startIdentityProvider(audience, () => new Date());
    server = await startMailServer();
    const issuers = JSON.stringify([{ issuer: provider.issuer, audience, jwksUrl: provider.jwksUrl }]);
    const withPassword = server.url.replace('smtp://', `smtp://daybook:${smtpPassword}@`);
    remember('mail password', smtpPassword);
    const sandbox = await start({ DAYBOOK_OIDC_ISSUERS: issuers, SMTP_URL: withPassword });
    runs.push(sandbox);
    const lived = await live(sandbox.client, provider, async () => '000000');
    secrets.delete([...secrets].find(([, secret]) => secret === '000000')?.[0] ?? '');
    await fund(sandbox.client, lived.accountId, 50_000_000);
    const payee = await registerPayee(sandbox.client, { customerId: lived.customer.id });
    const body = quoteBody(lived.accountId, payee.id, { lockedCurrencyAmount: 1_000_000 });
    const quote = expectStatus(await sandbox.client.post('/quotes', body), 201);
    const [{ accountOrWalletInfo }] = quote.paymentInstructions;
    const stamp = stampOf(lived.session.privateKey, accountOrWalletInfo.payloadToSign);
    const paid = await sandbox.client.post(`/quotes/${quote.id}/execute`, undefined, {
      'service-wallet-signature': stamp,
      'idempotency-key': 'once',
    });
    expectStatus(paid, 200);
    const { data } = expectStatus(await sandbox.client.get('/sandbox/emails'), 200);
    for (const { text } of data) remember('code', codeIn(text));
  });
  afterAll(async () => {
    for (const { service } of runs) await service.stop();
    await server.stop();
    await provider.stop();
  });

  it('are there, with log lines, refusals and rows to look at', async () => {
    expect(secrets.size).toBeGreaterThan(12);
    expect(lines.length).toBeGreaterThan(20);
    expect(refusals.length).toBeGreaterThan(5);
    expect(isIn(`{"otp":"123456"}`, '123456')).toBe(true);
    expect(isIn(`{"otp":"${Buffer.from('123456').toString('base64')}"}`, '123456')).toBe(true);
  });

  it('are in no log line and no error body', () => {
    const found = [...secrets].filter(([, secret]) => isIn([...lines, ...refusals].join('\n'), secret));
    expect(found.map(([what]) => what)).toEqual([]);
  });

  it('are in no event and in no table', async () => {
    const [sandbox] = runs;
    const text = await everythingStored(sandbox?.databaseUrl ?? '');
    expect(text).toContain('SessionIssued');
    const found = [...secrets].filter(([, secret]) => isIn(text, secret));
    expect(found.map(([what]) => what)).toEqual([]);
    expect(isIn(text, masterKey)).toBe(false);
  });

  it('leave out the codes of production as well', async () => {
    const production = await start({
      DAYBOOK_ENVIRONMENT: 'production',
      DAYBOOK_WALLET_CURRENCY: 'USDB',
      SMTP_URL: server.url,
    });
    runs.push(production);
    const { client, databaseUrl } = production;
    const wallet = await createWallet(client, { email: 'codes@example.com' });
    const credential = expectStatus(
      await addCredential(client, wallet.accountId, { type: 'EMAIL_OTP' })(),
      201,
    );
    const [mail] = await eventually(
      async () => server.mails.filter(({ to }) => to.includes('codes@example.com')),
      ({ length }) => length > 0,
    );
    const code = codeIn(mail?.source ?? '');
    const { publicKey: clientPublicKey } = newClientKey();
    expectStatus(await verify(client, credential.id, { otp: code, clientPublicKey }), 200);
    const text = `${await everythingStored(databaseUrl)}\n${lines.join('\n')}`;
    expect(isIn(text, code)).toBe(false);
  });
});
