/** Two platforms with a customer each, on one log without a database: what a payment needs around it. */

import { primaryAccount } from '../../../src/domain/accounts/provisioning.ts';
import { aggregates } from '../../../src/domain/aggregates.ts';
import { depositEntryId } from '../../../src/domain/payments/transaction.ts';
import type { Environment } from '../../../src/domain/platforms/events.ts';
import type { PaymentRail } from '../../../src/domain/ports/payment-rail.ts';
import { reactionsIn } from '../../../src/domain/reactions/reactions.ts';
import { paymentAddressStream } from '../../../src/domain/reservations/reservation.ts';
import { createDispatcher } from '../../../src/infrastructure/commands/dispatch.ts';
import type { EventStore } from '../../../src/infrastructure/event-store/event-store.ts';
import {
  type CustomerId,
  idOf,
  type PlatformId,
  type TransactionId,
  uuidOf,
} from '../../../src/kernel/ids.ts';
import type { Commands } from '../../../src/use-cases/commands.ts';
import { deposit } from '../builders/accounts.ts';
import { customerDetails, platformDetails, supported } from '../builders/customers.ts';
import {
  customerId,
  externalAccountId,
  payeeId,
  payeePlatformId,
  platformId,
} from '../builders/identities.ts';
import { usd } from '../builders/money.ts';
import { externalAccountDetails } from '../builders/registered-accounts.ts';
import { reserveName } from '../builders/reservations.ts';
import { domainEvent } from '../log/domain-events.ts';
import type { TestLog } from '../log/eventstoredb-log.ts';
import { memoryEventStore } from '../log/memory-event-store.ts';
import { type DefaultAccounts, railsOf } from '../rails/rails.ts';
import { steppableClock } from '../time/clock.ts';
import { sequentialIds, uuidNumber } from '../values/ids.ts';

const causeOf = (of: PlatformId) => ({
  platformId: of,
  correlationId: 'request-1',
  causationId: 'request-1',
  actor: 'test',
});
export const cause = causeOf(platformId);
/** Of what is done for Grace's platform. */
export const theirs = { ...cause, platformId: payeePlatformId };

export const adaAccount = primaryAccount(customerId, 'USD');
export const graceAccount = primaryAccount(payeeId, 'USD');
export const adaId = customerId;
export const graceAddress = '$grace@bank.example';
export const webhook = { webhookEndpoint: 'https://hooks.example/daybook' };

type Surroundings = {
  readonly rail: PaymentRail;
  readonly defaultAccount?: DefaultAccounts;
  readonly environment?: Environment;
  readonly contradicted?: (transactionId: TransactionId) => void;
  readonly lost?: (transactionId: TransactionId) => void;
  /** Kept in arrays where none is given. */
  readonly log?: TestLog;
};

/** Ada has 1,000.00 USD and a registered bank account; Grace, on the other platform, has nothing. */
export async function startTown({ log = memoryEventStore(), ...surroundings }: Surroundings) {
  const clock = steppableClock();
  const processOn = (store: EventStore, idsFrom: number) => {
    const deps = { store, newEventId: sequentialIds(idsFrom).uuid, now: clock.now };
    const commands = createDispatcher(deps, aggregates, reactionsIn(surroundings.environment ?? 'sandbox'));
    return { commands, ...railsOf({ ...surroundings, commands, now: clock.now }) };
  };
  const first = processOn(log, 1_000);
  const { commands, payments } = first;
  await openPlatforms(commands, surroundings.environment);
  await addCustomer(commands, platformId, customerId, '$ada@pay.example');
  await addCustomer(commands, payeePlatformId, payeeId, graceAddress);
  await commands.run('account', uuidOf(adaAccount), fundingOf(idOf('Transaction', uuidNumber(500))), cause);
  const details = externalAccountDetails();
  const register = { type: 'CreateExternalAccount', details } as const;
  await commands.run('externalAccount', uuidOf(externalAccountId), register, cause);

  let next = log.all.length;
  /** What the worker does with the events that are new: hand over to the rail what is ready. */
  const work = async (): Promise<void> => {
    for (; next < log.all.length; next++) {
      const stored = log.all[next];
      if (stored) await payments.submit(domainEvent(stored));
    }
  };
  /** Every event once more, by a process that remembers nothing. */
  const workAgain = async (idsFrom: number): Promise<void> => {
    const again = processOn(log, idsFrom);
    for (const stored of [...log.all]) {
      await again.commands.react(domainEvent(stored), {});
      await again.payments.submit(domainEvent(stored));
    }
  };
  return { ...first, rail: surroundings.rail, log, clock, work, workAgain, processOn };
}

export type Town = Awaited<ReturnType<typeof startTown>>;

async function openPlatforms(commands: Commands, environment: Environment = 'sandbox'): Promise<void> {
  for (const id of [platformId, payeePlatformId]) {
    const details = platformDetails({ platformId: id, environment, supportedCurrencies: supported('USD') });
    await commands.run('platform', uuidOf(id), { type: 'CreatePlatform', details }, causeOf(id));
  }
}

async function addCustomer(
  commands: Commands,
  of: PlatformId,
  id: CustomerId,
  umaAddress: string,
): Promise<void> {
  const reserve = reserveName({ holder: id });
  await commands.run('reservation', paymentAddressStream(umaAddress), reserve, causeOf(of));
  const who = { platformId: of, customerId: id, platformCustomerId: id, umaAddress };
  const details = customerDetails({ ...who, currencies: ['USD'] });
  await commands.run('customer', uuidOf(id), { type: 'CreateCustomer', details }, causeOf(of));
}

const fundingOf = (transactionId: Parameters<typeof depositEntryId>[0]) =>
  deposit({ transactionId, entryId: depositEntryId(transactionId), amount: usd(1_000_00n) });

/** Grace's platform wants to be asked about incoming payments. */
export const askGrace = ({ commands, clock }: Town) =>
  commands.run(
    'platform',
    uuidOf(payeePlatformId),
    { type: 'ChangeConfig', changes: webhook, at: clock.now() },
    causeOf(payeePlatformId),
  );
