/** Reads `camt.053`, the bank to customer statement. */
import type { Money } from '../../../kernel/money.ts';
import { amountAt, isRailCurrency, toMinor } from '../values/amounts.ts';
import { all, at, type Element, need, needText, textAt, Unreadable } from '../xml/element.ts';
import { identifierMax, isName } from './identifiers.ts';
import type { BankMessage, Entry } from './model.ts';
import { type Place, placesOf } from './places.ts';

/** Of an IBAN, and of what stands in its place. */
const accountMax = 34;

/** Throws `Unreadable`. */
export function readStatement(root: Element): BankMessage {
  const message = need(root, 'BkToCstmrStmt');
  const statements = all(message, 'Stmt');
  if (statements.length === 0) throw new Unreadable('no statement');
  return {
    kind: 'statement',
    messageId: needText(message, 'GrpHdr/MsgId', identifierMax),
    entries: statements.flatMap((statement) => entriesOf(message, statement)),
  };
}

function entriesOf(message: Element, statement: Element): readonly Entry[] {
  const account = textAt(statement, 'Acct/Id/IBAN', 'Acct/Id/Othr/Id');
  if (account === undefined || account.length > accountMax)
    throw new Unreadable('a statement has no account');
  const placeOf = placesOf(message, statement);
  const lines = all(statement, 'Ntry');
  checkTotals(statement, lines);
  return lines.flatMap((line, index) =>
    movementsOf(line, { account, spelled: account, ...placeOf(line, index) }),
  );
}

const totals: readonly (readonly [part: string, of: string, counts: (line: Element) => boolean])[] = [
  ['TtlNtries', 'entries', () => true],
  ['TtlCdtNtries', 'credits', (line) => directionOf(line) === 'credit'],
  ['TtlDbtNtries', 'debits', (line) => directionOf(line) === 'debit'],
];

/** What the statement says of its entries together: a part that was lost on the way shows here. */
function checkTotals(statement: Element, lines: readonly Element[]): void {
  for (const [part, of, counts] of totals) {
    const total = at(statement, `TxsSummry/${part}`);
    if (total) checkTotal(total, of, lines.filter(counts));
  }
}

function checkTotal(told: Element, of: string, lines: readonly Element[]): void {
  const count = textAt(told, 'NbOfNtries');
  if (count !== undefined && Number(count) !== lines.length)
    throw new Unreadable(`the statement has ${lines.length} ${of} and says ${count}`);
  const sum = textAt(told, 'Sum');
  if (sum === undefined) return;
  const total = lines.reduce((so, line) => so + amountAt(line, 'Amt').minor, 0n);
  if (toMinor(sum) !== total) throw new Unreadable(`the amounts of the ${of} do not add up to the sum given`);
}

type Where = Pick<Entry, 'account' | 'spelled'> & Place;

/**
 * An entry is one movement, or has one for each of its transactions where these have amounts in its currency that add up to
 * what was credited. An order that was debited is one, where none of its transactions has a name, and so is an entry of more
 * transactions than it lists, unless those are all of its amount. Only what is booked counts.
 */
function movementsOf(line: Element, where: Where): readonly Entry[] {
  const status = textAt(line, 'Sts/Cd', 'Sts/Prtry', 'Sts');
  if (status === undefined) throw new Unreadable('an entry has no status');
  if (status !== 'BOOK') return [];
  const direction = directionOf(line);
  const amount = amountAt(line, 'Amt');
  if (!isRailCurrency(amount.currency)) throw new Unreadable('an entry is not in EUR or GBP');
  const details = all(line, 'NtryDtls');
  const common = {
    ...where,
    direction,
    bookedOn: textAt(line, 'BookgDt/Dt', 'BookgDt/DtTm')?.slice(0, 10),
    isReversal: textAt(line, 'RvslInd') === 'true' || textAt(line, 'RvslInd') === '1',
  };
  const batch = batchOf(details[0]);
  const entryReference = identifierAt(line, 'AcctSvcrRef');
  const transactions = details.flatMap((detail) => all(detail, 'TxDtls'));
  const endToEndIds = transactions.flatMap((one) => endToEndIdOf(one) ?? []);
  const isOfOrder = direction === 'debit' && batch !== undefined && !endToEndIds.some(isName);
  const isCut = details.some(listsLess);
  const [first, ...others] = transactions;
  const only = first && others.length === 0 ? amountOf(first, amount.currency) : undefined;
  if (first && others.length === 0 && (!isCut || isOfOrder || only?.minor === amount.minor)) {
    // The bank may have booked its charges with a debit: the transaction has the amount that was ordered, never more.
    const counted = only && direction === 'debit' && only.minor <= amount.minor ? only : amount;
    return [movement(first, line, { ...common, amount: counted, batch }, entryReference)];
  }
  const amounts = transactions.map((one) => amountOf(one, amount.currency));
  const directions = directionsIn(transactions, { direction, amount, isCut });
  if (!first || amounts.includes(undefined) || !directions || isOfOrder) {
    return [{ ...movement(line, line, { ...common, amount, batch }, entryReference), endToEndIds }];
  }
  return transactions.map((transaction, index) => {
    const part = index + 1;
    const its = { amount: amounts[index] ?? amount, direction: directions[index] ?? direction };
    const own = { ...common, ...its, place: `${where.place}/${part}`, batch: undefined };
    const reference = entryReference && isName(entryReference) ? `${entryReference}/${part}` : entryReference;
    // What the bank says of the whole may name the account of another part.
    return { ...movement(transaction, undefined, own, reference), ofEntry: textAt(line, sayingOfEntry) };
  });
}

/**
 * How each transaction of an entry counts: as the entry, or of a debit that is what is left of both directions as it says
 * itself; nothing where they do not add up. A debit may be more than its transactions, by charges, where it lists them all.
 */
function directionsIn(
  transactions: readonly Element[],
  { direction, amount, isCut }: Pick<Entry, 'direction' | 'amount'> & { readonly isCut: boolean },
): readonly Entry['direction'][] | undefined {
  const own = transactions.map((one) => directionOf(one, direction));
  const minors = transactions.map((one) => amountOf(one, amount.currency)?.minor ?? 0n);
  const sum = minors.reduce((so, minor) => so + minor, 0n);
  const isPlain = own.every((one) => one === direction);
  const isWithCharges = direction === 'debit' && isPlain && sum < amount.minor && !isCut;
  if (sum === amount.minor || isWithCharges) return own.map(() => direction);
  const net = minors.reduce((so, minor, index) => (own[index] === direction ? so + minor : so - minor), 0n);
  return direction === 'debit' && net === amount.minor ? own : undefined;
}

type Common = Where &
  Pick<Entry, 'direction' | 'amount' | 'batch' | 'bookedOn'> & { readonly isReversal: boolean };

/** What the bank says of an entry, in words. */
const sayingOfEntry = 'AddtlNtryInf';

/** `line` is the entry where the transaction is all of it. */
function movement(
  transaction: Element,
  line: Element | undefined,
  { isReversal, ...common }: Common,
  entryReference: string | undefined,
): Entry {
  const reasonCode = textAt(transaction, 'RtrInf/Rsn/Cd', 'RtrInf/Rsn/Prtry');
  const references = [identifierAt(transaction, 'Refs/AcctSvcrRef'), entryReference];
  return {
    ...common,
    bankReference: references.find((one) => one !== undefined && isName(one)) ?? references.find(Boolean),
    endToEndId: endToEndIdOf(transaction),
    isReturn: isReversal || at(transaction, 'RtrInf') !== undefined,
    reasonCode,
    named: namedIn(transaction, line),
  };
}

/** `otherwise` is that of the entry, which a transaction need not repeat. */
function directionOf(line: Element, otherwise?: Entry['direction']): Entry['direction'] {
  const code = textAt(line, 'CdtDbtInd');
  if (code === undefined && otherwise) return otherwise;
  if (code !== 'CRDT' && code !== 'DBIT') throw new Unreadable('an entry is neither credit nor debit');
  return code === 'CRDT' ? 'credit' : 'debit';
}

/**
 * What it is of the entry, in the entry's currency: one in another says nothing of the account. The older version has the
 * amount of a transaction among the details of amounts.
 */
function amountOf(transaction: Element, currency: string): Money | undefined {
  const path = ['Amt', 'AmtDtls/TxAmt/Amt'].find((one) => at(transaction, one));
  const amount = path === undefined ? undefined : amountAt(transaction, path);
  return amount?.currency === currency ? amount : undefined;
}

const identifierAt = (element: Element, path: string): string | undefined =>
  textAt(element, path) && needText(element, path, identifierMax);

const endToEndIdOf = (transaction: Element) => identifierAt(transaction, 'Refs/EndToEndId');

/** The order that the bank has booked as one. */
const batchOf = (detail: Element | undefined): string | undefined =>
  detail && textAt(detail, 'Btch/PmtInfId', 'Btch/MsgId');

/** Whether it is of more transactions than it lists, as it says itself. */
const listsLess = (detail: Element): boolean =>
  Number(textAt(detail, 'Btch/NbOfTxs') ?? 0) > all(detail, 'TxDtls').length;

function namedIn(transaction: Element, line: Element | undefined): readonly string[] {
  const remittances = all(transaction, 'RmtInf');
  const texts = [
    ...remittances.flatMap((part) => all(part, 'Ustrd').map(({ text }) => text)),
    // A reference that the bank has broken at the end of a line.
    ...remittances.map((part) =>
      all(part, 'Ustrd')
        .map(({ text }) => text)
        .join(''),
    ),
    ...remittances.flatMap((part) => all(part, 'Strd').map((one) => textAt(one, 'CdtrRefInf/Ref'))),
    textAt(transaction, 'Refs/EndToEndId'),
    textAt(transaction, 'AddtlTxInf'),
    line && textAt(line, sayingOfEntry),
  ];
  return [...new Set(texts.filter((text) => text !== undefined && text !== ''))] as string[];
}
