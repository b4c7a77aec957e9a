/** A log as a service writes it: customers with accounts, then transfers in to them, decided by the domain. */
import { primaryAccount } from '../src/domain/accounts/provisioning.ts';
import { aggregates } from '../src/domain/aggregates.ts';
import { reactionsIn } from '../src/domain/reactions/reactions.ts';
import { paymentAddressStream } from '../src/domain/reservations/reservation.ts';
import { bankReference } from '../src/domain/values/bank-reference.ts';
import { createDispatcher } from '../src/infrastructure/commands/dispatch.ts';
import type { EventStore, StoredEvent } from '../src/infrastructure/event-store/event-store.ts';
import { systemClock } from '../src/kernel/clock.ts';
import {
  type CustomerId,
  derivedUuid,
  type ExternalAccountId,
  type InternalAccountId,
  idOf,
  systemIds,
  uuidOf,
} from '../src/kernel/ids.ts';
import { invariant } from '../src/kernel/invariant.ts';
import { int64Max } from '../src/kernel/money.ts';
import type { Commands } from '../src/use-cases/commands.ts';

const customersCount = 100;
/** Payments that are under way at the same time. */
const underWay = 50;

const platformId = idOf('Platform', systemIds.uuid());
const cause = { platformId, causationId: 'request', actor: 'bench' };
const { now } = systemClock;

type Citizen = {
  readonly customerId: CustomerId;
  readonly internal: InternalAccountId;
  readonly external: ExternalAccountId;
};

/** At least so many events in the order of the log, as they come about. */
export async function* history(eventsMin: number): AsyncGenerator<readonly StoredEvent[]> {
  const log = gatheringLog();
  const deps = { store: log.store, newEventId: systemIds.uuid, now };
  const commands: Commands = createDispatcher(deps, aggregates, reactionsIn('sandbox'));
  await openPlatform(commands);
  const citizens: Citizen[] = [];
  for (let n = 0; n < customersCount; n++) citizens.push(await addCitizen(commands, n));
  for (let made = 0; ; made += underWay) {
    const gathered = log.take();
    yield gathered;
    if ((gathered.at(-1)?.position ?? 0n) >= eventsMin) return;
    await transferTogether(commands, made, citizens);
  }
}

/** Appends to memory; `take` hands over what has come since the last time. */
function gatheringLog() {
  let gathered: StoredEvent[] = [];
  let position = 0n;
  const heads = new Map<string, number>();
  const store: EventStore = {
    async read(stream, from = 0) {
      invariant((heads.get(stream) ?? -1) < from, `the state of ${stream} has been forgotten`);
      return [];
    },
    async append(stream, _expected, events) {
      let revision = heads.get(stream) ?? -1;
      for (const { id, type, data, metadata } of events) {
        revision += 1;
        position += 1n;
        gathered.push({ id, type, data, metadata, stream, revision, position });
      }
      heads.set(stream, revision);
      return { revision, position };
    },
    last: async () => 0n,
    subscribeToAll: () => ({ done: Promise.resolve(), stop: async () => undefined }),
    close: async () => undefined,
  };
  const take = (): readonly StoredEvent[] => {
    const taken = gathered;
    gathered = [];
    return taken;
  };
  return { store, take };
}

const request = () => ({ ...cause, correlationId: systemIds.uuid() });

async function openPlatform(commands: Commands): Promise<void> {
  const currency = {
    currencyCode: 'USD',
    minAmount: 0n,
    maxAmount: int64Max,
    requiredCounterpartyFields: [],
  };
  const wallets = {
    otpLength: 6,
    alphanumeric: false,
    expirationSeconds: 300,
    sendFromEmailSenderName: 'Bench',
  };
  const details = {
    platformId,
    environment: 'sandbox' as const,
    umaDomain: 'bench.example',
    defaultRegion: 'US',
    supportedCurrencies: [
      { ...currency, enabledTransactionTypes: ['INCOMING' as const, 'OUTGOING' as const] },
    ],
    embeddedWalletConfig: wallets,
    at: now(),
  };
  await commands.run('platform', uuidOf(platformId), { type: 'CreatePlatform', details }, request());
}

async function addCitizen(commands: Commands, n: number): Promise<Citizen> {
  const customerId = idOf('Customer', systemIds.uuid());
  const umaAddress = `$citizen-${n}@bench.example`;
  const taken = { code: 'CONFLICT', message: 'taken' } as const;
  const reserve = { type: 'ReserveName', holder: customerId, taken, at: now() } as const;
  await commands.run('reservation', paymentAddressStream(umaAddress), reserve, request());
  const details = {
    platformId,
    customerId,
    platformCustomerId: `citizen-${n}`,
    customerType: 'INDIVIDUAL' as const,
    umaAddress,
    region: 'US',
    currencies: ['USD'],
    kycStatus: 'APPROVED' as const,
    fullName: `Citizen ${n}`,
    at: now(),
  };
  await commands.run('customer', uuidOf(customerId), { type: 'CreateCustomer', details }, request());
  const external = await addBankAccount(commands, customerId, n);
  return { customerId, internal: primaryAccount(customerId, 'USD'), external };
}

async function addBankAccount(
  commands: Commands,
  customerId: CustomerId,
  n: number,
): Promise<ExternalAccountId> {
  const externalAccountId = idOf('ExternalAccount', systemIds.uuid());
  const accountInfo = {
    accountType: 'USD_ACCOUNT' as const,
    accountNumber: String(1_000_000_000 + n),
    routingNumber: '021000021',
    bankAccountType: 'CHECKING' as const,
    bankName: 'Bench Bank',
    beneficiary: {
      beneficiaryType: 'INDIVIDUAL' as const,
      fullName: `Citizen ${n}`,
      birthDate: '1990-01-01',
      nationality: 'US',
    },
  };
  const details = {
    platformId,
    externalAccountId,
    customerId,
    currency: 'USD',
    accountInfo,
    defaultUmaDepositAccount: n % 10 === 0,
    reservation: derivedUuid('bench', `${n}`),
    status: 'ACTIVE' as const,
    at: now(),
  };
  const command = { type: 'CreateExternalAccount', details } as const;
  await commands.run('externalAccount', uuidOf(externalAccountId), command, request());
  return externalAccountId;
}

/** So many transfers in at the same time, from their first event to their last. */
async function transferTogether(commands: Commands, made: number, citizens: readonly Citizen[]) {
  await Promise.all(
    Array.from({ length: underWay }, async (_, n) => {
      const citizen = citizens[(made + n) % citizens.length];
      invariant(citizen, 'a town without citizens');
      await transferIn(commands, citizen, BigInt(100 + ((made + n) % 1_000)));
    }),
  );
}

async function transferIn(
  commands: Commands,
  { customerId, internal, external }: Citizen,
  minor: bigint,
): Promise<void> {
  const uuid = systemIds.uuid();
  const at = now();
  const terms = {
    transactionId: idOf('Transaction', uuid),
    platformId,
    customerId,
    platformCustomerId: uuidOf(customerId),
    reference: bankReference('TI', uuid),
    direction: 'IN' as const,
    source: { kind: 'EXTERNAL' as const, accountId: external },
    destination: { kind: 'INTERNAL' as const, accountId: internal },
    amount: { minor, currency: 'USD' },
    at,
  };
  const of = request();
  const run = (command: Parameters<Commands['run']>[2]) =>
    commands.run('transaction', uuid, command as never, of);
  await run({ type: 'CreateTransfer', terms });
  const checkAt = new Date(at.getTime() + 60_000);
  await run({
    type: 'RecordSubmission',
    reference: `R-${uuid.slice(-8)}`,
    underway: true,
    checkAt,
    at: now(),
  });
  await run({ type: 'SettlePayment', at: now() });
}
