/** The internal accounts of the log beside the rows that show them. */
import type { CopiedAccount, CopiedBooks } from '../../../../../projections/auditor/copied-books.ts';
import { aggregates } from '../../../../domain/aggregates.ts';
import type { StoredEvent } from '../../../../infrastructure/event-store/event-store.ts';
import { ReadModelFault } from './read-model-fault.ts';

export const accountColumns = [
  'balance',
  'currency',
  'platform_id',
  'customer_id',
  'type',
  'status',
  'held',
  'private_enabled',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof CopiedAccount)[];

/** Takes the events as they are shown, in the order of the log, and their postings. */
export type AccountRows = {
  readonly add: (event: StoredEvent) => void;
  /** What an internal account holds after a posting; `undefined` of another account. */
  readonly post: (account: string, minor: bigint) => bigint | undefined;
  readonly count: () => number;
  /** Throws `ReadModelFault` where a row says something else. */
  readonly end: (books: CopiedBooks) => void;
};

type Row = {
  -readonly [C in Exclude<(typeof accountColumns)[number], 'held'>]: string | bigint | boolean | null;
} & {
  balance: bigint;
  currency: string;
  /** The amounts that wait, by their entries. */
  readonly waiting: Map<string, bigint>;
  /** Its row is written for its wallet as well, and by which of both last is not told. */
  isOfWallet: boolean;
};

const category = `${aggregates.account.category}-`;

export function accountRows(): AccountRows {
  const rows = new Map<string, Row>();

  return {
    add({ type, stream, data }) {
      if (type === 'AccountOpened') return void rows.set(String(data.accountId), opened(data));
      const row = rows.get(String(data.accountId));
      if (row && type === 'WalletPrivacyChanged')
        Object.assign(row, { private_enabled: data.privateEnabled, isOfWallet: true });
      if (row && stream.startsWith(category)) change(row, type, data);
    },
    post(account, minor) {
      const row = rows.get(account);
      if (row) row.balance += minor;
      return row?.balance;
    },
    count: () => rows.size,
    end({ accounts: copied, position }) {
      for (const account of new Set([...rows.keys(), ...copied.keys()])) {
        const [own, there] = [expected(rows.get(account)), copied.get(account)];
        const currency = String(own?.currency ?? there?.currency);
        const place = { readModel: 'internal_accounts', position, account, currency } as const;
        for (const column of accountColumns) {
          const [here, logged] = [plain(there?.[column]), own?.[column]];
          if (own && there && logged === undefined) continue;
          if (here !== logged) throw new ReadModelFault({ ...place, column, copied: here, logged });
        }
      }
    },
  };
}

const opened = ({ platformId, customerId, accountType, currency, status, at }: StoredEvent['data']): Row => ({
  balance: 0n,
  currency: String(currency),
  platform_id: String(platformId),
  customer_id: customerId === null ? null : String(customerId),
  type: String(accountType),
  status: String(status),
  private_enabled: false,
  created_at: String(at),
  updated_at: String(at),
  waiting: new Map(),
  isOfWallet: false,
});

/** The events of its stream say all of it in plain text: no state with its entries has to be kept in memory. */
function change(row: Row, type: string, data: StoredEvent['data']): void {
  if (type === 'AccountStatusChanged') row.status = String(data.status);
  if (type === 'CreditHeld') row.waiting.set(String(data.entryId), minorOf(data.amount));
  if (type === 'AccountCredited' || type === 'CreditRefused') row.waiting.delete(String(data.entryId));
  if (['AccountStatusChanged', 'AccountCredited', 'AccountDebited'].includes(type))
    row.updated_at = String(data.at);
}

/** The log has amounts as text. */
const minorOf = (amount: unknown): bigint => BigInt((amount as { readonly minor: string | number }).minor);

function expected(row: Row | undefined) {
  if (!row) return undefined;
  const { waiting, isOfWallet, ...others } = row;
  const held = [...waiting.values()].reduce((sum, minor) => sum + minor, 0n);
  return { ...others, held, updated_at: isOfWallet ? undefined : others.updated_at };
}

/** As it is in the log. */
const plain = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : value);
