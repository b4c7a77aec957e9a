/** Money that arrives at a bank, for an account that does not take it: an operator's from then on, and nobody else's. */
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { aggregates } from '../../src/domain/aggregates.ts';
import type { RailReports } from '../../src/domain/ports/rail-module.ts';
import { createDispatcher } from '../../src/infrastructure/commands/dispatch.ts';
import { systemIds, uuidOf } from '../../src/kernel/ids.ts';
import { openLog } from '../support/postgres/read-models.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { accountOf, createCustomer, expectStatus } from '../support/resources/flows.ts';
import { balanceOf } from '../support/resources/payments.ts';
import { fickleRail } from '../support/traffic/mixed-traffic.ts';

let reports: RailReports;
const service = serviceOfTests({
  rail: async (own) => {
    reports = own;
    return fickleRail;
  },
});

const setStatus = async (accountId: string, status: 'ACTIVE' | 'FROZEN') =>
  expectStatus(await service.client.post(`/sandbox/internal-accounts/${accountId}/status`, { status }), 200);

describe('money that arrives at a frozen account', () => {
  let customerId: string;
  let accountId: string;
  let money: Parameters<RailReports['arrived']>[0];
  /** Who tells of arrivals waits for no read model. */
  const expectBalance = (minor: number) =>
    expect.poll(() => balanceOf(service.client, customerId)).toBe(minor);
  beforeAll(async () => {
    const customer = await createCustomer(service.client);
    const account = await accountOf(service.client, customer.id);
    customerId = customer.id;
    accountId = account.id;
    const [{ accountOrWalletInfo }] = account.fundingPaymentInstructions;
    const named = [String(accountOrWalletInfo.reference)];
    money = { named, amount: { minor: 700n, currency: 'USD' }, bankReference: 'account/credit/1' };
  });

  it('is refused to whoever asks, also when the account takes money again, and credited by an operator’s word', async () => {
    await setStatus(accountId, 'FROZEN');
    const asked = { ...money, refusalIsFinal: true };
    const refused = { status: 'refused', code: 'USER_NOT_READY' };
    expect(await reports.arrived(asked)).toMatchObject(refused);
    expect(await reports.arrived(money)).toMatchObject(refused);
    await setStatus(accountId, 'ACTIVE');
    expect(await reports.arrived(asked)).toMatchObject(refused);
    await expectBalance(0);
    expect(await reports.arrived(money)).toMatchObject({ status: 'credited' });
    expect(['credited', 'known']).toContain((await reports.arrived(asked)).status);
    await expectBalance(700);
  });

  it('is credited or refused, whoever asks while the account is frozen and released', async () => {
    let credited = 700;
    for (let n = 0; n < 20; n++) {
      const asked = { ...money, bankReference: `race/${n}`, refusalIsFinal: true };
      const changes = (async () => {
        await setStatus(accountId, 'FROZEN');
        await setStatus(accountId, 'ACTIVE');
      })();
      const answers = await Promise.all([1, 2, 3, 4].map(() => reports.arrived(asked)));
      await changes;
      const last = await reports.arrived(asked);
      const isRefused = (answer: typeof last) => answer.status === 'refused';
      expect(answers.map(isRefused)).toEqual(answers.map(() => isRefused(last)));
      if (!isRefused(last)) credited += 700;
      await expectBalance(credited);
    }
  });

  it('is refused to whoever asks once its customer is deleted', async () => {
    const customer = await createCustomer(service.client);
    const { fundingPaymentInstructions } = await accountOf(service.client, customer.id);
    const [{ accountOrWalletInfo }] = fundingPaymentInstructions;
    expectStatus(await service.client.delete(`/customers/${customer.id}`), 200);
    const named = [String(accountOrWalletInfo.reference)];
    const asked = { ...money, named, bankReference: 'of somebody who is gone', refusalIsFinal: true };
    for (const _ of [1, 2]) expect(await reports.arrived(asked)).toMatchObject({ status: 'refused' });
  });
});

describe('money that arrives while the customer is being deleted', () => {
  it.each([true, false])(
    'is told of again, and credited where the deletion is abandoned (finally: %s)',
    async (refusalIsFinal) => {
      const customer = await createCustomer(service.client);
      const account = await accountOf(service.client, customer.id);
      const store = await openLog(service.databaseUrl);
      onTestFinished(() => store.close());
      const bare = createDispatcher(
        { store, newEventId: systemIds.uuid, now: () => new Date() },
        aggregates,
        [],
      );
      const cause = { platformId: '', correlationId: 'cut short', causationId: 'cut short', actor: 'test' };
      const change = (type: 'HaltAccount' | 'LiftHalt') =>
        bare.run('account', uuidOf(account.id), { type, deletion: 1, at: new Date() }, cause);
      const [{ accountOrWalletInfo }] = account.fundingPaymentInstructions;
      const named = [String(accountOrWalletInfo.reference)];
      const money = {
        named,
        amount: { minor: 300n, currency: 'USD' },
        bankReference: `halted/${refusalIsFinal}`,
        refusalIsFinal,
      };
      await change('HaltAccount');
      await expect(reports.arrived(money)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      await change('LiftHalt');
      expect(await reports.arrived(money)).toMatchObject({ status: 'credited' });
      await expect.poll(() => balanceOf(service.client, customer.id)).toBe(300);
    },
  );
});
