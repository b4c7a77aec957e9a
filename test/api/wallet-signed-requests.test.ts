import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../support/http/client.ts';
import { together } from '../support/http/concurrency.ts';
import { expectProblem } from '../support/http/problems.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { expectStatus } from '../support/resources/flows.ts';
import { movableClock } from '../support/time/movable-clock.ts';
import { type Signable, signedOperations } from '../support/wallets/signed-operations.ts';
import { encodeStamp, newClientKey, stampOf, twinOf } from '../support/wallets/wallet-client.ts';
import {
  type Call,
  challengeFor,
  type SignedHeaders,
  stamped,
  walletWithSession,
  walletWithTwoCredentials,
} from '../support/wallets/wallets.ts';

const clock = movableClock();
const service = serviceOfTests({ clock });
const { client } = service;

const onlyStamp = ({ 'request-id': _left, ...rest }: SignedHeaders): SignedHeaders => rest;
const onlyRequest = ({ 'service-wallet-signature': _left, ...rest }: SignedHeaders): SignedHeaders => rest;
const withTwin = (headers: SignedHeaders): SignedHeaders => ({
  ...headers,
  'service-wallet-signature': twinOf(headers['service-wallet-signature'] ?? ''),
});

describe.each(signedOperations)('a signed request to $name', ({ on, success, hasBody }) => {
  let wallet: Signable;
  let call: Call;
  let challenge: Json;
  beforeAll(async () => {
    wallet = await walletWithTwoCredentials(client);
    call = on(client, wallet);
    challenge = await challengeFor(call);
  });
  const sent = (change: SignedHeaders) => call({ ...stamped(challenge, wallet.session), ...change });
  const stampWith = (members: object) => {
    const stamp = stampOf(wallet.session.privateKey, challenge.payloadToSign);
    const honest = JSON.parse(Buffer.from(stamp, 'base64url').toString());
    return sent({ 'service-wallet-signature': encodeStamp({ ...honest, ...members }) });
  };

  it('is refused without a Request-Id', async () => {
    const headers = onlyStamp(stamped(challenge, wallet.session));
    expectProblem(await call(headers), 401, 'REQUEST_ID_MISSING');
  });

  it('is refused without a signature', async () => {
    const headers = onlyRequest(stamped(challenge, wallet.session));
    expectProblem(await call(headers), 401, 'WALLET_SIGNATURE_MISSING');
  });

  it.each([
    ['unknown', () => `Request:${randomUUID()}`],
    ['malformed', () => 'x'],
    ['empty', () => ' '],
    ['very long', () => 'x'.repeat(3000)],
  ])('is refused with a Request-Id that is %s', async (_what, id) => {
    const answer = await sent({ 'request-id': id() });
    expect(answer.status).toBe(401);
  });

  it('is refused with the Request-Id of another operation', async () => {
    for (const foreign of signedOperations.filter((one) => one.on !== on)) {
      const { requestId } = await challengeFor(foreign.on(client, wallet));
      expectProblem(await sent({ 'request-id': requestId }), 401, 'UNAUTHORIZED');
    }
  });

  it('is refused with the Request-Id of another wallet', async () => {
    const { requestId } = await challengeFor(on(client, await walletWithTwoCredentials(client)));
    expectProblem(await sent({ 'request-id': requestId }), 401, 'UNAUTHORIZED');
  });

  if (hasBody) {
    it('is refused with another body', async () => {
      const answer = await on(client, wallet, true)(stamped(challenge, wallet.session));
      expectProblem(answer, 401, 'WALLET_SIGNATURE_BODY_MISMATCH');
    });
  }

  it.each([
    ['nothing', ''],
    ['a bare signature', 'MEUCIQ'],
    ['noise', '!!!'],
    ['too much', 'A'.repeat(1025)],
  ])('is refused as malformed when its stamp is %s', async (_what, stamp) => {
    const answer = await sent({ 'service-wallet-signature': stamp || ' ' });
    expectProblem(answer, 401, 'WALLET_SIGNATURE_MALFORMED');
  });

  it.each([
    ['another scheme', { scheme: 'P256_ECDSA_SHA256' }],
    ['an uncompressed key', { publicKey: newClientKey().publicKey }],
    ['a signature that is not DER', { signature: '00'.repeat(64) }],
  ])('is refused as malformed when its stamp has %s', async (_what, members) => {
    expectProblem(await stampWith(members), 401, 'WALLET_SIGNATURE_MALFORMED');
  });

  it('is refused when a key of no session has signed it', async () => {
    const { privateKey } = newClientKey();
    expectProblem(await call(stamped(challenge, { privateKey })), 401, 'WALLET_SIGNATURE_INVALID');
  });

  it('is refused when a session of another wallet has signed it', async () => {
    const { session } = await walletWithSession(client);
    expectProblem(await call(stamped(challenge, session)), 401, 'WALLET_SIGNATURE_INVALID');
  });

  it.each([
    ['the decoded text', (text: string) => Buffer.from(text, 'base64').toString()],
    ['the text with a line break', (text: string) => `${text}\n`],
    ['another text', () => 'hello'],
  ])('is refused when what was signed is %s', async (_what, change) => {
    const stamp = stampOf(wallet.session.privateKey, change(challenge.payloadToSign));
    expectProblem(await sent({ 'service-wallet-signature': stamp }), 401, 'WALLET_SIGNATURE_INVALID');
  });

  it('works after all these refusals, which have spent nothing', async () => {
    expectStatus(await call(stamped(challenge, wallet.session)), success);
  });
});

describe.each(signedOperations)('the challenge of a request to $name', ({ on, success }) => {
  /** A wallet of the test's own, with its challenge. */
  const challenged = async () => {
    const wallet = await walletWithTwoCredentials(client);
    const call = on(client, wallet);
    const challenge = await challengeFor(call);
    return { call, headers: () => stamped(challenge, wallet.session) };
  };

  it('is spent by one stamp, its twin and any other stamp included', async () => {
    const { call, headers } = await challenged();
    const first = headers();
    expectStatus(await call(first), success);
    for (const repeat of [first, withTwin(first), headers()])
      expectProblem(await call(repeat), 401, 'UNAUTHORIZED');
  });

  it('is won by one of 50 parallel retries', async () => {
    const { call, headers } = await challenged();
    const answers = await together(50, () => call(headers()));
    const won = answers.filter(({ status }) => status === success);
    expect(won).toHaveLength(1);
    expect(answers.every(({ status }) => status < 500)).toBe(true);
  });

  it('takes the twin of a stamp, whose s is high where the other is low', async () => {
    const { call, headers } = await challenged();
    expectStatus(await call(withTwin(headers())), success);
  });

  it('expires after five minutes', async () => {
    const { call, headers } = await challenged();
    clock.advance(300_000);
    const late = await call(headers());
    expect(expectProblem(late, 401, 'UNAUTHORIZED').reason).toBe('REQUEST_EXPIRED');
  });
});
