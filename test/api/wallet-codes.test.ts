import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client, Json } from '../support/http/client.ts';
import { countByStatus, together } from '../support/http/concurrency.ts';
import { expectProblem, namedFields } from '../support/http/problems.ts';
import { query } from '../support/postgres/database.ts';
import { startTestService, type TestService } from '../support/processes/service.ts';
import { eventually, expectStatus } from '../support/resources/flows.ts';
import { codeIn, type MailServer, startMailServer } from '../support/servers/mail-server.ts';
import { movableClock } from '../support/time/movable-clock.ts';
import { newClientKey } from '../support/wallets/wallet-client.ts';
import {
  addCredential,
  addEmail,
  createWallet,
  mailsOf,
  sessionOf,
  verify,
  walletWithSession,
} from '../support/wallets/wallets.ts';

const key = newClientKey();
const clientPublicKey = key.publicKey;

describe('codes where mails are sent', () => {
  const clock = movableClock();
  let server: MailServer;
  let service: TestService;
  let client: Client;
  beforeAll(async () => {
    server = await startMailServer();
    service = await startTestService({
      clock,
      variables: { DAYBOOK_ENVIRONMENT: 'production', DAYBOOK_WALLET_CURRENCY: 'USDB', SMTP_URL: server.url },
    });
    client = service.client;
  });
  afterAll(async () => {
    await service.stop();
    await server.stop();
  });

  const mailTo = (email: string, n = 1) =>
    eventually(
      async () => server.mails.filter(({ to }) => to.includes(email)),
      (mails) => mails.length >= n,
    );
  const codeOf = async (email: string, n = 1) => codeIn((await mailTo(email, n))[n - 1]?.source ?? '');
  const newCredential = async (email: string) => {
    const wallet = await createWallet(client, { email });
    return { wallet, credential: await addEmail(client, wallet), code: await codeOf(email) };
  };
  const resend = async (credential: Json) =>
    expectStatus(await client.post(`/auth/credentials/${credential.id}/challenge`), 200);
  const signIn = (credential: Json, otp: string) => verify(client, credential.id, { otp, clientPublicKey });
  const wrong = (code: string) => (code === '111111' ? '222222' : '111111');

  it('start one session', async () => {
    const { credential, code } = await newCredential('one@example.com');
    expect(code).toMatch(/^\d{6}$/);
    const body = expectStatus(await signIn(credential, code), 200);
    expect((await sessionOf(body, key.privateKey)).privateKey).toMatch(/^[0-9a-f]{64}$/);
    expect(expectProblem(await signIn(credential, code), 401, 'UNAUTHORIZED').reason).toBe('NO_LIVE_CODE');
  });

  it('are never 000000', async () => {
    const { credential } = await newCredential('zero@example.com');
    expect(expectProblem(await signIn(credential, '000000'), 401).reason).toBe('Invalid OTP code');
  });

  it('are void once a newer one was sent', async () => {
    const { credential, code } = await newCredential('newer@example.com');
    expect(await resend(credential)).toEqual(credential);
    const newer = await codeOf('newer@example.com', 2);
    if (newer !== code) expectProblem(await signIn(credential, code), 401, 'UNAUTHORIZED');
    expectStatus(await signIn(credential, newer), 200);
  });

  it('are void after five wrong tries, until a new one is sent', async () => {
    const { credential, code } = await newCredential('tries@example.com');
    for (let n = 0; n < 5; n++) expectProblem(await signIn(credential, wrong(code)), 401, 'UNAUTHORIZED');
    expect(expectProblem(await signIn(credential, code), 401).reason).toBe('NO_LIVE_CODE');
    await resend(credential);
    expectStatus(await signIn(credential, await codeOf('tries@example.com', 2)), 200);
  });

  it('are good after four wrong tries', async () => {
    const { credential, code } = await newCredential('four@example.com');
    for (let n = 0; n < 4; n++) expectProblem(await signIn(credential, wrong(code)), 401, 'UNAUTHORIZED');
    expectStatus(await signIn(credential, code), 200);
  });

  it('allow five tries in all, though many guess at once', async () => {
    const { credential, code } = await newCredential('burst@example.com');
    const guesses = Array.from({ length: 30 }, (_, n) => String(n).padStart(6, '0')).filter(
      (guess) => guess !== code,
    );
    const answers = await Promise.all(guesses.map((guess) => signIn(credential, guess)));
    expect(answers.every(({ status }) => status === 401)).toBe(true);
    const tried = answers.filter(({ body }) => body.reason === 'Invalid OTP code');
    expect(tried).toHaveLength(5);
    expectProblem(await signIn(credential, code), 401, 'UNAUTHORIZED');
  });

  it('start one session when 20 use one at once', async () => {
    const { credential, code } = await newCredential('same@example.com');
    expect(countByStatus(await together(20, () => signIn(credential, code)))).toEqual({ 200: 1, 401: 19 });
  });

  it('expire when the platform says', async () => {
    const { credential, code } = await newCredential('late@example.com');
    clock.advance(300_000);
    expect(expectProblem(await signIn(credential, code), 401).reason).toBe('NO_LIVE_CODE');
  });

  describe('of a platform that set up its codes', () => {
    const own = { otpLength: 9, alphanumeric: true, expirationSeconds: 60, appName: 'Purse <&>' };
    const usual = { otpLength: 6, alphanumeric: false, expirationSeconds: 300 };
    const sender = {
      sendFromEmailAddress: 'codes@purse.example',
      sendFromEmailSenderName: 'Purse',
      replyToEmailAddress: 'help@purse.example',
      logoUrl: 'https://purse.example/logo.png',
    };
    const setUp = async (embeddedWalletConfig: object) =>
      expectStatus(await client.patch('/config', { embeddedWalletConfig }), 200);
    beforeAll(() => setUp({ ...own, ...sender }));
    afterAll(() => setUp(usual));

    it('have its length and its letters', async () => {
      const { code } = await newCredential('form@example.com');
      expect(code).toMatch(/^[A-HJ-NP-Z2-9]{9}$/);
    });

    it('come from its sender', async () => {
      await newCredential('sender@example.com');
      const [mail] = await mailTo('sender@example.com');
      expect(mail?.from).toBe('codes@purse.example');
      const source = mail?.source.replaceAll('=\r\n', '') ?? '';
      expect(source).toContain('From: Purse <codes@purse.example>');
      expect(source).toContain('Reply-To: help@purse.example');
      expect(source).toContain('Purse &lt;&amp;&gt;');
      expect(source).toContain('a minute');
    });

    it('expire after its lifetime', async () => {
      const { credential, code } = await newCredential('brief@example.com');
      clock.advance(60_000);
      expectProblem(await signIn(credential, code), 401, 'UNAUTHORIZED');
    });
  });

  it('leave later when the mail server does not take them at once', async () => {
    server.refuse = true;
    const wallet = await createWallet(client, { email: 'patient@example.com' });
    const credential = await addEmail(client, wallet);
    await eventually(
      async () => server.refused(),
      (times) => times > 0,
    );
    server.refuse = false;
    expectStatus(await signIn(credential, await codeOf('patient@example.com')), 200);
  });

  it('are forgotten with their mails once these are sent', async () => {
    await newCredential('sent@example.com');
    const [{ sealed }] = (await eventually(
      () =>
        query<{ sealed: number }>(
          service.databaseUrl,
          'select count(*)::int as sealed from daybook.emails where sealed is not null',
        ),
      ([row]) => row?.sealed === 0,
    )) as [{ sealed: number }];
    expect(sealed).toBe(0);
  });

  it('are kept as keyed hashes', async () => {
    const { code } = await newCredential('kept@example.com');
    const rows = await query<{ text: string }>(
      service.databaseUrl,
      'select one_time_codes::text as text from daybook.one_time_codes',
    );
    expect(rows.length).toBeGreaterThan(0);
    // Ids and hashes have any six digits by chance.
    const others = rows.map(({ text }) => text.replaceAll(/[0-9a-f-]{32,}/g, ''));
    expect(others.some((text) => text.includes(code))).toBe(false);
  });

  it.each([
    [{ clientPublicKey }, ['otp']],
    [{ otp: '123456' }, ['clientPublicKey']],
    [{ otp: '', clientPublicKey }, ['otp']],
    [{ otp: 'x'.repeat(65), clientPublicKey }, ['otp']],
    [{ otp: 123_456, clientPublicKey }, ['otp']],
    [{ otp: '123456', clientPublicKey: `04${'1'.repeat(128)}` }, ['clientPublicKey']],
    [{ type: 'PASSKEY', otp: '123456', clientPublicKey }, ['type']],
  ])('are refused with the fields that are wrong in %j', async (body, fields) => {
    const { credential } = await newCredential('fields@example.com');
    const problem = expectProblem(await verify(client, credential.id, body), 400, 'INVALID_INPUT');
    expect(namedFields(problem)).toEqual(fields);
  });

  it('cannot be read by anybody over HTTP', async () => {
    expectProblem(await client.get('/sandbox/emails'), 403, 'FORBIDDEN');
    expectProblem(await client.post('/sandbox/oidc/token', { subject: 'x' }), 403, 'FORBIDDEN');
    const answer = await client.raw('/sandbox/oidc/jwks', {});
    expectProblem(answer, 404);
  });
});

const inYears = (years: number) => new Date(Date.now() + years * 365 * 86_400_000).toISOString();

describe('codes in the sandbox', () => {
  let service: TestService;
  let client: Client;
  beforeAll(async () => {
    service = await startTestService();
    client = service.client;
  });
  afterAll(() => service.stop());

  it('are 000000, whatever was mailed', async () => {
    const wallet = await createWallet(client, { email: 'sand@example.com' });
    const { id } = await addEmail(client, wallet);
    const [mail] = await mailsOf(client);
    expect(mail).toMatchObject({ to: 'sand@example.com', from: { address: 'no-reply@daybook.test' } });
    expect(codeIn(mail.text)).toMatch(/^\d{6}$/);
    const problem = expectProblem(await verify(client, id, { otp: codeIn(mail.text), clientPublicKey }), 401);
    expect(problem).toMatchObject({ reason: 'Invalid OTP code', details: { reason: 'Invalid OTP code' } });
    expectStatus(await verify(client, id, { otp: '000000', clientPublicKey }), 200);
  });

  it('are kept by the time of the installation, whatever that of the platform is', async () => {
    const ahead = await service.newPlatform();
    const { id } = await addEmail(ahead, await createWallet(ahead));
    expectStatus(await ahead.post('/sandbox/clock/freeze', { at: inYears(5) }), 200);
    expectStatus(await ahead.post(`/auth/credentials/${id}/challenge`), 200);
    const late = `select id from daybook.one_time_codes where expires_at > now() + interval '1 day'`;
    expect(await query(service.databaseUrl, late)).toEqual([]);
    expectStatus(await verify(ahead, id, { otp: '000000', clientPublicKey }), 200);
  });

  it('are sent whatever the body of /challenge says', async () => {
    const { credential } = await walletWithSession(client);
    const path = `/auth/credentials/${credential.id}/challenge`;
    expectStatus(await client.post(path, { clientPublicKey: 'junk', more: [1] }), 200);
  });

  it('are listed newest first, page by page', async () => {
    const wallet = await createWallet(client, { email: 'pages@example.com' });
    const { id } = await addEmail(client, wallet);
    for (let n = 0; n < 3; n++) expectStatus(await client.post(`/auth/credentials/${id}/challenge`), 200);
    const first = expectStatus(await client.get('/sandbox/emails', { limit: '2' }), 200);
    expect(first.data).toHaveLength(2);
    const rest = expectStatus(await client.get('/sandbox/emails', { cursor: first.nextCursor }), 200);
    const all = [...first.data, ...rest.data];
    expect(all).toHaveLength(first.totalCount);
    const times = all.map(({ createdAt }: Json) => createdAt);
    expect(times).toEqual(times.toSorted().toReversed());
  });
});

describe('an installation in production without a mail server', () => {
  it('registers no credential, since it cannot send codes', async () => {
    const service = await startTestService({
      variables: { DAYBOOK_ENVIRONMENT: 'production', DAYBOOK_WALLET_CURRENCY: 'USDB' },
    });
    try {
      const { accountId } = await createWallet(service.client);
      const call = addCredential(service.client, accountId, { type: 'EMAIL_OTP' });
      expectProblem(await call(), 501, 'NOT_IMPLEMENTED');
      const { data } = expectStatus(await service.client.get('/auth/credentials', { accountId }), 200);
      expect(data).toEqual([]);
    } finally {
      await service.stop();
    }
  });
});
