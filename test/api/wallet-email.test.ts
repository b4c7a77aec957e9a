import { describe, expect, it } from 'vitest';
import type { Json } from '../support/http/client.ts';
import { countByStatus, together } from '../support/http/concurrency.ts';
import { expectProblem } from '../support/http/problems.ts';
import { query } from '../support/postgres/database.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { readCustomer } from '../support/resources/customers.ts';
import { createCustomer, expectStatus } from '../support/resources/flows.ts';
import { besideOfTests, clientThrough } from '../support/resources/platforms.ts';
import { movableClock } from '../support/time/movable-clock.ts';
import type { Session } from '../support/wallets/wallets.ts';
import {
  addCredential,
  addEmail,
  byToken,
  type Call,
  challengeFor,
  createWallet,
  listCredentials,
  mailsOf,
  revokeCredential,
  signed,
  signInByEmail,
  signInByToken,
  stamped,
  walletWithSession,
} from '../support/wallets/wallets.ts';

const clock = movableClock();
const service = serviceOfTests({ clock });
const { client } = service;
const beside = besideOfTests(service);

let n = 0;
const newEmail = () => `ada-${n++}@example.com`;
const change =
  ({ id }: Json, body: object): Call =>
  (headers) =>
    client.patch(`/customers/${id}`, body, headers);
/** A session by a second credential, of this subject. */
async function signedInByToken(accountId: string, subject: string, session: Session): Promise<Session> {
  const call = addCredential(client, accountId, await byToken(client, subject));
  const { id } = expectStatus(await signed(call, session), 201);
  return signInByToken(client, id, subject);
}
const idsOf = (sessions: readonly Json[]) => sessions.map(({ id }) => id).toSorted();
const withWallet = () => walletWithSession(client, { email: newEmail() });

describe("a new e-mail address of a wallet's customer", () => {
  it('changes where codes go once it is signed for', async () => {
    const { customer, accountId, credential, session } = await withWallet();
    const email = newEmail();
    const call = change(customer, { email, fullName: 'Ada King' });
    const challenge = await challengeFor(call);
    expect(challenge.type).toBeUndefined();
    expect(await readCustomer(client, customer)).toEqual(customer);
    const changed = expectStatus(await call(stamped(challenge, session)), 200);
    expect(changed).toMatchObject({ email, fullName: 'Ada King' });
    expect(await readCustomer(client, customer)).toEqual(changed);
    const [listed] = await listCredentials(client, accountId);
    expect(listed).toMatchObject({ id: credential.id, nickname: email });
    await signInByEmail(client, credential.id);
    expect((await mailsOf(client))[0].to).toBe(email);
  });

  it('ends the sessions that codes to the former one have begun, but for the one that signs', async () => {
    const { customer, accountId, credential, session } = await withWallet();
    const byToken = await signedInByToken(accountId, newEmail(), session);
    const [other, another] = [
      await signInByEmail(client, credential.id),
      await signInByEmail(client, credential.id),
    ];
    expectStatus(await signed(change(customer, { email: newEmail() }), other), 200);
    const { data } = expectStatus(await client.get(`/auth/sessions?accountId=${accountId}`), 200);
    expect(idsOf(data)).toEqual([byToken.id, other.id].toSorted());
    const again = change(customer, { email: newEmail() });
    const challenge = await challengeFor(again);
    for (const ended of [session, another])
      expectProblem(await again(stamped(challenge, ended)), 401, 'WALLET_SIGNATURE_INVALID');
    expectStatus(await again(stamped(challenge, byToken)), 200);
    const left = expectStatus(await client.get(`/auth/sessions?accountId=${accountId}`), 200);
    expect(idsOf(left.data)).toEqual([byToken.id]);
  });

  it('changes where codes go also from an address of the credential alone', async () => {
    const wallet = await createWallet(client, { email: newEmail() });
    const credential = await addEmail(client, wallet, { email: newEmail() });
    const session = await signInByEmail(client, credential.id);
    const email = newEmail();
    expectStatus(await signed(change(wallet.customer, { email }), session), 200);
    const [listed] = await listCredentials(client, wallet.accountId);
    expect(listed).toMatchObject({ id: credential.id, nickname: email });
  });

  it('needs no signature where the customer has no credential by e-mail', async () => {
    const plain = await createCustomer(client, { email: newEmail() });
    expectStatus(await change(plain, { email: newEmail() })(), 200);
  });

  it('needs no signature where it is the same address', async () => {
    const { customer } = await withWallet();
    expectStatus(await change(customer, { email: customer.email })(), 200);
  });

  it('needs no signature where something else is changed', async () => {
    const { customer } = await withWallet();
    expectStatus(await change(customer, { fullName: 'Ada King' })(), 200);
  });

  it('changes nothing without the right signature', async () => {
    const { customer, session } = await withWallet();
    const { session: stranger } = await withWallet();
    const body = { email: newEmail(), fullName: 'Eve' };
    const call = change(customer, body);
    const challenge = await challengeFor(call);
    const headers = stamped(challenge, session);
    expectProblem(await call(stamped(challenge, stranger)), 401, 'WALLET_SIGNATURE_INVALID');
    expectProblem(await call({ 'request-id': challenge.requestId }), 401, 'WALLET_SIGNATURE_MISSING');
    const other = change(customer, { ...body, fullName: 'Mallory' });
    expectProblem(await other(headers), 401, 'WALLET_SIGNATURE_BODY_MISMATCH');
    expect(await readCustomer(client, customer)).toEqual(customer);
    expectStatus(await call(headers), 200);
    expectProblem(await change(customer, { ...body, email: newEmail() })(headers), 401, 'UNAUTHORIZED');
  });

  it('is refused when codes of another wallet go there', async () => {
    const { customer } = await withWallet();
    const { customer: other } = await withWallet();
    const answer = await change(customer, { email: other.email })();
    expectProblem(answer, 409, 'EMAIL_OTP_EMAIL_ALREADY_EXISTS');
  });

  it('says nothing of wallets of another platform, whose codes may go there', async () => {
    const { customer, session } = await withWallet();
    const email = newEmail();
    const elsewhere = await service.newPlatform();
    await addEmail(elsewhere, await createWallet(elsewhere, { email }));
    expectStatus(await signed(change(customer, { email }), session), 200);
  });

  it('is refused to all but one of those who change to it at the same moment, over two processes', async () => {
    const email = newEmail();
    const addresses = [email, email.toUpperCase(), email, email];
    const calls = await Promise.all(
      addresses.map(async (address, n) => {
        const { customer, session } = await withWallet();
        const path = `/customers/${customer.id}`;
        const headers = stamped(await challengeFor(change(customer, { email: address })), session);
        const through = n % 2 === 0 ? client : clientThrough(beside, service);
        return { customer, send: () => through.patch(path, { email: address }, headers) };
      }),
    );
    const answers = await Promise.all(calls.map(({ send }) => send()));
    expect(countByStatus(answers)).toEqual({ 200: 1, 409: 3 });
    for (const [n, answer] of answers.entries())
      if (answer.status === 409) {
        expectProblem(answer, 409, 'EMAIL_OTP_EMAIL_ALREADY_EXISTS');
        expect(await readCustomer(client, calls[n]?.customer ?? {})).toEqual(calls[n]?.customer);
      }
  });

  it('is free at once where the change of another was refused', async () => {
    const [{ customer: one, session }, { customer: other, session: theirs }] = [
      await withWallet(),
      await withWallet(),
    ];
    const email = newEmail();
    const { umaAddress } = await createCustomer(client);
    const refused = await signed(change(one, { email, umaAddress }), session);
    expectProblem(refused, 409, 'UMA_ADDRESS_EXISTS');
    expectStatus(await signed(change(other, { email }), theirs), 200);
  });

  it('may be one that a wallet has by another way: it is not looked at when a credential is added', async () => {
    const { customer } = await withWallet();
    const wallet = await createWallet(client, { email: customer.email });
    await addEmail(client, wallet);
  });

  it('is refused when the set of e-mail credentials has changed since', async () => {
    const { customer, accountId, credential, session } = await withWallet();
    const bySubject = await signedInByToken(accountId, customer.id, session);
    const call = change(customer, { email: newEmail(), fullName: 'Ada King' });
    const challenge = await challengeFor(call);
    expectStatus(await signed(revokeCredential(client, credential.id), bySubject), 204);
    const again = addCredential(client, accountId, { type: 'EMAIL_OTP' });
    expectStatus(await signed(again, bySubject), 201);
    expectProblem(await call(stamped(challenge, bySubject)), 409, 'EMAIL_OTP_CREDENTIAL_SET_CHANGED');
    expect(await readCustomer(client, customer)).toEqual(customer);
  });

  it('is refused when there is no e-mail credential any more', async () => {
    const { customer, accountId, credential, session } = await withWallet();
    const bySubject = await signedInByToken(accountId, customer.id, session);
    const call = change(customer, { email: newEmail() });
    const challenge = await challengeFor(call);
    expectStatus(await signed(revokeCredential(client, credential.id), bySubject), 204);
    const garbage = { 'request-id': challenge.requestId, 'service-wallet-signature': 'garbage' };
    expectProblem(await call(garbage), 401, 'WALLET_SIGNATURE_MALFORMED');
    expectProblem(await call(stamped(challenge, bySubject)), 409, 'EMAIL_OTP_CREDENTIAL_SET_CHANGED');
    expect(await readCustomer(client, customer)).toEqual(customer);
  });

  it('is taken in any letter case as long as another wallet has it', async () => {
    const { customer } = await withWallet();
    const { customer: other } = await withWallet();
    const shouted = { email: other.email.toUpperCase() };
    expectProblem(await change(customer, shouted)(), 409, 'EMAIL_OTP_EMAIL_ALREADY_EXISTS');
    expectStatus(await client.delete(`/customers/${other.id}`), 200);
    expectStatus(await change(customer, shouted)(), 202);
  });

  it('never lets a code live that was mailed to the old one', async () => {
    for (let round = 0; round < 5; round++) {
      const { customer, credential, session } = await withWallet();
      const email = newEmail();
      const call = change(customer, { email });
      const headers = stamped(await challengeFor(call), session);
      const resend = () => client.post(`/auth/credentials/${credential.id}/challenge`);
      const [changed, ...sent] = await Promise.all([call(headers), ...Array.from({ length: 6 }, resend)]);
      expectStatus(changed, 200);
      for (const { status } of sent) expect(status).toBeOneOf([200, 409]);
      const mails = (await mailsOf(client)).filter(({ to }) => [email, customer.email].includes(to));
      const [live] = await query<{ id: string }>(
        service.databaseUrl,
        `select data ->> 'codeId' as id from daybook_log.events
         where type = 'OneTimeCodeIssued' and data ->> 'credentialId' = $1 order by position desc, revision desc limit 1`,
        [credential.id],
      );
      const [position] = await query<{ after: boolean }>(
        service.databaseUrl,
        `select max(position) filter (where type = 'OneTimeCodeIssued')
           > max(position) filter (where type = 'CustomerEmailChanged') as after
         from daybook_log.events where data ->> 'accountId' = $1`,
        [credential.accountId],
      );
      const mail = mails.find(({ id }: Json) => id === `Email:${live?.id}`);
      if (position?.after) expect(mail?.to).toBe(email);
    }
  });

  it('changes with the rest of the update or not at all', async () => {
    const { customer, session } = await withWallet();
    const { umaAddress } = await createCustomer(client);
    const call = change(customer, { email: newEmail(), umaAddress });
    const challenge = await challengeFor(call);
    expectProblem(await call(stamped(challenge, session)), 409, 'UMA_ADDRESS_EXISTS');
    expect(await readCustomer(client, customer)).toEqual(customer);
  });

  it('is won by one of 20 retries', async () => {
    const { customer, session } = await withWallet();
    const call = change(customer, { email: newEmail() });
    const challenge = await challengeFor(call);
    const answers = await together(20, () => call(stamped(challenge, session)));
    expect(countByStatus(answers)).toEqual({ 200: 1, 401: 19 });
    expectProblem(await call(stamped(challenge, session)), 401, 'UNAUTHORIZED');
  });

  it('is free again a minute after the one who had it has changed to another', async () => {
    const [{ customer: one, session }, { customer: other, session: theirs }] = [
      await withWallet(),
      await withWallet(),
    ];
    const email = newEmail();
    expectStatus(await signed(change(one, { email }), session), 200);
    expectStatus(await signed(change(one, { email: newEmail() }), session), 200);
    const problem = expectProblem(
      await signed(change(other, { email }), theirs),
      409,
      'EMAIL_OTP_EMAIL_ALREADY_EXISTS',
    );
    expect(problem.details.retryAfterSeconds).toBeGreaterThan(0);
    clock.advance(61_000);
    expectStatus(await signed(change(other, { email }), theirs), 200);
    expectProblem(await change(one, { email })(), 409, 'EMAIL_OTP_EMAIL_ALREADY_EXISTS');
  });

  it('does not come together with a telephone number', async () => {
    const { customer } = await withWallet();
    const body = { email: newEmail(), phoneNumber: '+15551234567' };
    expectProblem(await change(customer, body)(), 400, 'INVALID_INPUT');
  });
});
