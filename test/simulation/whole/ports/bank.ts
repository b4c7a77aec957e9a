/** A bank at the other end of a folder of files: it takes orders, and what becomes of a transfer follows from its identifier. */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Settings } from '../../../../src/outside/iso20022/settings.ts';
import {
  entry,
  euroAccount,
  type Movement,
  paymentReturn,
  statement,
  statusReport,
} from '../../../support/bank/messages.ts';
import type { Random } from '../../random.ts';
import type { Faults } from '../faults.ts';

/** How often the bank looks into the folder. Daybook looks less often, so that a file in two parts is whole the second time. */
export const bankEveryMs = 4_000;
const daybookEverySeconds = 6;
const waitMaxMs = 20_000;
const lateMs = 60_000;

export const bankSettings = (folder: string): Settings => ({
  folder,
  initiatingParty: 'Daybook Ltd',
  accounts: [{ currency: 'EUR', iban: euroAccount, name: 'Daybook Ltd', serviceLevel: 'SEPA' }],
  orderVersion: 'pain.001.001.09',
  orderTransfersMax: 3,
  everySeconds: daybookEverySeconds,
  schemas: undefined,
  fileBytesMax: 1_000_000,
});

/** A transfer of an order. */
export type Ordered = { readonly endToEndId: string; readonly minor: bigint; readonly messageId: string };
/** Money that somebody has sent to the account of the operator. */
export type Arrived = { readonly account: string; readonly minor: bigint; readonly bankReference: string };

/** What becomes of a transfer at the bank. */
export function fateAtBank(endToEndId: string): 'paid' | 'refused' | 'returned' {
  const [dice = 0] = createHash('sha256').update(endToEndId).digest();
  if (dice < 50) return 'refused';
  return dice < 100 ? 'returned' : 'paid';
}

/** A file for Daybook that the bank has not brought yet. */
type Letter = {
  readonly at: number;
  readonly name: string;
  readonly text: string;
  readonly isRest?: boolean;
};

type Deps = { readonly random: Random; readonly faults: Faults; readonly now: () => number };

export function openBank({ random, faults, now }: Deps) {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-bank-'));
  // The bank may look before any process has started.
  for (const part of ['in', 'out']) mkdirSync(join(folder, part));
  const namesIn = (part: string) =>
    readdirSync(join(folder, part))
      .filter((name) => !name.startsWith('.'))
      .toSorted();
  const ordered: Ordered[] = [];
  const arrived: Arrived[] = [];
  let letters: Letter[] = [];
  let written = 0;
  const write = (text: string, afterMs: number): void => {
    const name = `${++written}.xml`;
    const late = faults.strikes('file of the bank late') ? lateMs : 0;
    const at = now() + afterMs + late;
    letters.push({ at, name, text });
    if (faults.strikes('file of the bank twice'))
      letters.push({ at: at + random.below(waitMaxMs), name: `again-${name}`, text });
  };
  const state = (movement: Movement, afterMs: number): void => {
    const id = `S${written + 1}`;
    write(statement([entry({ reference: `${id}REF`, ...movement })], { id }), afterMs);
  };
  const carryOut = ({ endToEndId, minor, messageId }: Ordered): void => {
    const amount = decimal(minor);
    const fate = fateAtBank(endToEndId);
    const soon = random.below(waitMaxMs);
    if (fate === 'refused') {
      const transfers = [{ endToEndId, status: 'RJCT', code: 'AC04' }];
      write(statusReport({ messageId, transfers }), soon);
      return;
    }
    state({ amount, direction: 'DBIT', endToEndId }, soon);
    if (fate === 'paid') return;
    const later = soon + random.below(waitMaxMs);
    if (random.chance(0.5)) write(paymentReturn(endToEndId, amount, 'AC04'), later);
    state({ amount, endToEndId, returnCode: 'AC04' }, later);
  };
  const takeOrders = (): void => {
    for (const name of namesIn('out')) {
      const path = join(folder, 'out', name);
      const transfers = transfersOf(readFileSync(path, 'utf8'));
      rmSync(path);
      ordered.push(...transfers);
      for (const transfer of transfers) carryOut(transfer);
    }
  };
  const bring = (): void => {
    const due = letters.filter(({ at }) => at <= now());
    letters = letters.filter(({ at }) => at > now());
    for (const { name, text, isRest } of due) {
      const isPart = !isRest && faults.strikes('file of the bank in two parts');
      if (isPart) letters.push({ at: now(), name, text, isRest: true });
      writeFileSync(join(folder, 'in', name), isPart ? text.slice(0, text.length / 2) : text);
    }
  };
  const readCase = (name: string): Case =>
    JSON.parse(readFileSync(join(folder, 'unmatched', name), 'utf8')) as Case;
  return {
    folder,
    ordered: ordered as readonly Ordered[],
    arrived: arrived as readonly Arrived[],
    /** What the bank does each time that it looks into the folder. */
    work(): void {
      takeOrders();
      bring();
    },
    /** Somebody sends money to the account, and names whom it is for. Minor units of EUR. */
    receive(account: string, reference: string, minor: bigint): void {
      const bankReference = `IN${arrived.length + 1}REF`;
      arrived.push({ account, minor, bankReference });
      const remittance = `for ${reference}, thanks`;
      state({ amount: decimal(minor), reference: bankReference, remittance }, random.below(waitMaxMs));
    },
    isWaiting: (): boolean => letters.length > 0 || namesIn('out').length > 0 || namesIn('in').length > 0,
    /** What Daybook has put aside: files that it could not read, and movements that an operator has to look at. */
    aside: () => ({ unreadable: namesIn('rejected'), unmatched: namesIn('unmatched').map(readCase) }),
    end: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export type Bank = ReturnType<typeof openBank>;
type Case = { readonly why: string; readonly bankReference?: string };

const decimal = (minor: bigint): string => `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`;

function transfersOf(order: string): readonly Ordered[] {
  const messageId = /<MsgId>([^<]*)</.exec(order)?.[1] ?? '';
  const all = order.matchAll(/<EndToEndId>([^<]*)<.*?<InstdAmt Ccy="EUR">(\d+)\.(\d\d)</gs);
  return [...all].map(([, endToEndId = '', whole = '', cents = '']) => ({
    endToEndId,
    minor: BigInt(whole + cents),
    messageId,
  }));
}
