/** The way of payments to the rail and back, on any event store and without a database. */
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import type { Database, ReadDb } from '../../../projections/database.ts';
import type { PaymentRail } from '../../../src/domain/ports/payment-rail.ts';
import type { ExternalAccountId, TransactionId } from '../../../src/kernel/ids.ts';
import type { Commands } from '../../../src/use-cases/commands.ts';
import { createPayees } from '../../../src/use-cases/find/payees.ts';
import { createReceivers } from '../../../src/use-cases/find/receivers.ts';
import { createLocalPayments } from '../../../src/use-cases/payments/local-payments.ts';
import { boundedRail } from '../../../src/use-cases/payments/rail-payments/bounded-rail.ts';
import { createPayments } from '../../../src/use-cases/payments/rail-payments/rail-payments.ts';
import { createRunTimer } from '../../../src/use-cases/run-timer.ts';
import { approvalMs } from '../builders/terms.ts';

/** Which external account takes a customer's incoming payments: what the read models would know. */
export type DefaultAccounts = (customerId: string, currency: string) => ExternalAccountId | undefined;

type Deps = {
  readonly commands: Commands;
  readonly rail: PaymentRail;
  readonly now: () => Date;
  readonly defaultAccount?: DefaultAccounts;
  readonly contradicted?: (transactionId: TransactionId) => void;
  readonly lost?: (transactionId: TransactionId) => void;
};

export function railsOf({ commands, rail: own, now, defaultAccount = () => undefined, ...told }: Deps) {
  const rail = boundedRail(own);
  const receivers = createReceivers(commands, rail);
  const readDb = readDbWith(defaultAccount);
  const payees = createPayees({ commands, readDb, receivers });
  const local = createLocalPayments({ commands, nowOf: now, approvalMs });
  const payments = createPayments({ commands, rail, local, payees, now, ...told });
  const runTimer = createRunTimer({ commands, payments, now });
  return { receivers, payees, local, payments, runTimer };
}

/** Answers every query with the default account of the customer and the currency among its parameters. */
const readDbWith = (defaultAccount: DefaultAccounts): ReadDb =>
  new Kysely<Database>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new AnsweringDriver(defaultAccount),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });

class AnsweringDriver extends DummyDriver {
  readonly #defaultAccount: DefaultAccounts;

  constructor(defaultAccount: DefaultAccounts) {
    super();
    this.#defaultAccount = defaultAccount;
  }

  override async acquireConnection() {
    const connection = await super.acquireConnection();
    const executeQuery = async ({ parameters }: { readonly parameters: readonly unknown[] }) => {
      const texts = parameters.filter((value) => typeof value === 'string');
      const customerId = texts.find((text) => text.startsWith('Customer:')) ?? '';
      const id = texts.map((text) => this.#defaultAccount(customerId, text)).find((found) => found);
      return { rows: id ? [{ id }] : [] };
    };
    return Object.assign(connection, { executeQuery });
  }
}
