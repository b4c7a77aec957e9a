/** Customers of two platforms who open accounts, pay in and send money to each other and away, all at once. */
import { depositEntryId } from '../../src/domain/payments/transaction.ts';
import { paymentAddressStream } from '../../src/domain/reservations/reservation.ts';
import { idOf, type PlatformId, uuidOf } from '../../src/kernel/ids.ts';
import { bankTransfer } from '../support/builders/accounts.ts';
import { customerDetails, platformDetails, supported } from '../support/builders/customers.ts';
import { validAccountInfo } from '../support/builders/external-accounts.ts';
import { payeePlatformId, platformId } from '../support/builders/identities.ts';
import { externalAccountDetails } from '../support/builders/registered-accounts.ts';
import { reserveName } from '../support/builders/reservations.ts';
import { webhook } from '../support/traffic/town.ts';
import { paymentsOf } from './payments.ts';
import type { Random } from './random.ts';
import type { Service } from './service.ts';

export const currencies = ['USD', 'EUR', 'VND', 'BTC'];
/** Few enough to meet each other. */
const customersMax = 8;
const platforms: readonly PlatformId[] = [platformId, payeePlatformId];

export type World = ReturnType<typeof peopleOf>;

function peopleOf(service: Service, random: Random) {
  const { clock, ids, events } = service;
  const { run } = service;
  const upTo = (digits: number) => BigInt(1 + random.below(10 ** (1 + random.below(digits))));
  const accounts = () => events().flatMap((event) => (event.type === 'AccountOpened' ? [event.data] : []));
  const customers = () => events().flatMap((event) => (event.type === 'CustomerCreated' ? [event.data] : []));
  const externalAccounts = () =>
    events().flatMap((event) => (event.type === 'ExternalAccountCreated' ? [event.data] : []));
  return { service, random, clock, ids, events, run, upTo, accounts, customers, externalAccounts };
}

type Actions = readonly (readonly [times: number, action: () => unknown])[];

/** With `more`, what happens besides. */
export function worldOf(service: Service, random: Random, more: (world: World) => Actions) {
  const world = peopleOf(service, random);
  const { clock, ids, run, upTo, accounts, customers, externalAccounts } = world;

  const isThere = (id: PlatformId) =>
    world.events().some(({ type, data }) => type === 'PlatformCreated' && data.platformId === id);

  /** The second platform is asked before its customers are paid. */
  const openPlatforms = async () => {
    for (const id of platforms) {
      const details = platformDetails({
        platformId: id,
        supportedCurrencies: supported(...currencies),
        at: clock.now(),
      });
      const to = { to: 'platform', uuid: uuidOf(id), platformId: id } as const;
      // A crash may come before anything is recorded; nobody is a customer of a platform that is not there.
      while (!isThere(id)) await run({ ...to, command: { type: 'CreatePlatform', details } });
    }
    const command = { type: 'ChangeConfig', changes: webhook, at: clock.now() } as const;
    await run({ to: 'platform', uuid: uuidOf(payeePlatformId), platformId: payeePlatformId, command });
  };

  const addCustomer = async () => {
    if (customers().length >= customersMax) return;
    const uuid = ids.uuid();
    const of = random.pick(platforms) ?? platformId;
    const customerId = idOf('Customer', uuid);
    const umaAddress = `$${uuid}@pay.example`;
    const held = ['USD', ...currencies.filter(() => random.chance(0.3))];
    const details = customerDetails({
      platformId: of,
      customerId,
      platformCustomerId: uuid,
      umaAddress,
      walletCurrency: 'USDB',
      kycStatus: random.chance(0.9) ? 'APPROVED' : 'PENDING',
      currencies: held,
      at: clock.now(),
    });
    const reserve = reserveName({ holder: customerId, at: clock.now() });
    await run({
      to: 'reservation',
      uuid: paymentAddressStream(umaAddress),
      platformId: of,
      command: reserve,
    });
    await run({ to: 'customer', uuid, platformId: of, command: { type: 'CreateCustomer', details } });
  };

  const registerAccount = () => {
    const owner = random.pick(customers());
    if (!owner) return undefined;
    const uuid = ids.uuid();
    const details = externalAccountDetails({
      platformId: owner.platformId,
      customerId: owner.customerId,
      reservation: ids.uuid(),
      at: clock.now(),
      externalAccountId: idOf('ExternalAccount', uuid),
      currency: random.pick(currencies) ?? 'USD',
      accountInfo: validAccountInfo('USD_ACCOUNT'),
      defaultUmaDepositAccount: random.chance(0.2),
    });
    const command = { type: 'CreateExternalAccount', details } as const;
    return run({ to: 'externalAccount', uuid, platformId: owner.platformId, command });
  };

  const deleteAccount = () => {
    const account = random.pick(externalAccounts());
    if (!account || random.chance(0.5)) return undefined;
    const { externalAccountId: id, platformId: of } = account;
    const command = { type: 'DeleteExternalAccount', at: clock.now() } as const;
    return run({ to: 'externalAccount', uuid: uuidOf(id), platformId: of, command });
  };

  const payIn = () => {
    const account = random.pick(accounts());
    if (!account) return undefined;
    const transactionId = idOf('Transaction', ids.uuid());
    const entry = {
      entryId: depositEntryId(transactionId),
      transactionId,
      requestedBy: 'payer',
      at: clock.now(),
    };
    const credit = {
      amount: { minor: upTo(9), currency: account.currency },
      deposit: bankTransfer,
      ...entry,
    };
    const command = { type: 'CreditAccount', purpose: 'deposit', from: 'rail', ...credit } as const;
    return run({ to: 'account', uuid: uuidOf(account.accountId), platformId: account.platformId, command });
  };

  /** Any earlier command once more, on whichever process. */
  const repeat = () => {
    const earlier = random.pick(service.asked);
    return earlier && service.run(earlier);
  };

  const { quote, execute, transfer, receive, answer } = paymentsOf(world);
  const often: Actions = [
    [3, addCustomer],
    [2, registerAccount],
    [1, deleteAccount],
    [6, payIn],
    [9, quote],
    [12, execute],
    [6, transfer],
    [2, receive],
    [3, answer],
    [2, repeat],
    [6, service.workOnSomething],
    [6, service.runSomeJob],
    [2, service.lookAfterSomePayment],
    [2, service.wait],
    ...more(world),
  ];
  const actions = often.flatMap(([times, action]) => Array<() => unknown>(times).fill(action));

  return {
    openPlatforms,
    /** A few things at the same time. */
    step: () => Promise.all(Array.from({ length: 1 + random.below(6) }, () => random.pick(actions)?.())),
  };
}
