/**
 * Does what a status report refuses. A copy that the bank refuses as a duplicate says nothing of the payment: the bank may
 * carry the first. Such a refusal is for an operator, and the payment stays as it is.
 */
import type { Case } from '../files/entries.ts';
import type { BankMessage, StatusLine } from '../messages/model.ts';
import { blockOf } from './order-writer.ts';
import type { Outcomes } from './outcomes.ts';
import type { OwnPayment, OwnPayments } from './own-payments.ts';

type Deps = { readonly own: OwnPayments; readonly outcomes: Pick<Outcomes, 'refused'> };

type StatusReport = Extract<BankMessage, { kind: 'status-report' }>;

/** A line that refuses, and its name. */
type Refusal = StatusLine & { readonly source: string };

/** The bank will not carry it. */
const refusing = new Set(['RJCT', 'CANC']);

/** Returns what an operator has to look at. Once the signal is aborted, no further payment is refused. */
export function createRefusals({ own, outcomes }: Deps) {
  /** The payments that a line is about, each as it is when its turn comes. */
  async function* subjectsOf({ subject }: StatusLine, orderOf: OrderOf): AsyncGenerator<OwnPayment> {
    for (const endToEndId of await identifiersOf(subject, orderOf)) {
      const found = await own.find(endToEndId);
      if (found) yield found;
    }
  }

  /** The payments of which any line says that they are duplicates, each with the line of the largest part that says so. */
  const duplicatesIn = async (lines: readonly Refusal[], { orderOf, signal }: Reading) => {
    const found = new Map<string, Refusal>();
    for (const line of wholesFirst(lines.filter(({ isDuplicate }) => isDuplicate)))
      for await (const { endToEndId, facts } of subjectsOf(line, orderOf)) {
        if (signal.aborted) return found;
        if (facts.sent && !found.has(endToEndId)) found.set(endToEndId, line);
      }
    return found;
  };

  const refuse = async (
    line: Refusal,
    { orderOf, signal }: Reading,
    isDuplicate: (endToEndId: string) => boolean,
  ): Promise<readonly Case[]> => {
    const { source, reasonCode } = line;
    const cases: Case[] = [];
    let isOfNone = true;
    for await (const subject of subjectsOf(line, orderOf)) {
      isOfNone = false;
      if (isDuplicate(subject.endToEndId)) continue;
      const why = await outcomes.refused({ ...subject, source, reasonCode });
      if (why) cases.push(caseOf(why, subject.endToEndId, line));
      if (signal.aborted) break;
    }
    return isOfNone ? [caseOf('UNKNOWN_PAYMENT', source, line)] : cases;
  };

  return async ({ messageId, lines }: StatusReport, signal: AbortSignal): Promise<readonly Case[]> => {
    const reading = { orderOf: ordersOf(own), signal };
    const refusals = partsFirst(lines)
      .map((line, index) => ({ ...line, source: `pain.002/${messageId}/${index + 1}` }))
      .filter(({ status }) => refusing.has(status));
    const duplicates = await duplicatesIn(refusals, reading);
    const cases = [...new Set(duplicates.values())].map((line) =>
      caseOf('DUPLICATE_REFUSED', nameOf(line), line),
    );
    for (const line of refusals) {
      if (signal.aborted) break;
      cases.push(...(await refuse(line, reading, (id) => duplicates.has(id))));
    }
    return cases;
  };
}

/** The identifiers of an order's payments: all, and by the name that banks have for an instruction of ours. */
type Order = {
  readonly all: readonly string[];
  readonly byInstruction: ReadonlyMap<string, readonly string[]>;
};
type OrderOf = (messageId: string) => Promise<Order>;
type Reading = { readonly orderOf: OrderOf; readonly signal: AbortSignal };

/** Reads each order once, however many lines of a report are about its payments. */
function ordersOf(own: OwnPayments): OrderOf {
  const read = async (messageId: string): Promise<Order> => {
    const members = await own.membersOf(messageId);
    const instructionOf = ({ facts: { first } }: OwnPayment) =>
      first.was === 'taken' ? first.transfer.instructionId : '';
    const groups = Map.groupBy(members, instructionOf);
    const idsOf = (payments: readonly OwnPayment[]) => payments.map(({ endToEndId }) => endToEndId);
    return {
      all: idsOf(members),
      byInstruction: new Map([...groups].map(([name, payments]) => [name, idsOf(payments)])),
    };
  };
  const known = new Map<string, Promise<Order>>();
  return (messageId) => {
    const order = known.get(messageId) ?? read(messageId);
    known.set(messageId, order);
    return order;
  };
}

/** Banks that leave out the identifier for the payee's side may have that for their own. */
async function identifiersOf(subject: StatusLine['subject'], orderOf: OrderOf): Promise<readonly string[]> {
  const messageId = subject.messageId.toLowerCase();
  if (subject.of === 'transfer') {
    const { endToEndId, instructionId } = subject;
    if (endToEndId !== undefined) return [endToEndId];
    return (instructionId && (await orderOf(messageId)).byInstruction.get(instructionId.trim())) || [];
  }
  const isWhole =
    subject.of === 'message' || subject.paymentInformationId.toLowerCase() === blockOf(messageId);
  return isWhole ? (await orderOf(messageId)).all : [];
}

const caseOf = (why: Case['why'], key: string, { source, subject, reasonCode }: Refusal): Case => ({
  why,
  key,
  details: { report: source, ...subject, reasonCode },
});

/** Of what is refused, by whichever report. */
const nameOf = ({ subject }: StatusLine): string =>
  (subject.of === 'transfer' ? transferName(subject) : subject.messageId).trim().toLowerCase();

type OfTransfer = Extract<StatusLine['subject'], { of: 'transfer' }>;
const transferName = ({ messageId, endToEndId, instructionId }: OfTransfer): string =>
  endToEndId ?? `${messageId}/${instructionId}`;

const isTransfer = ({ subject }: StatusLine): boolean => subject.of === 'transfer';

/** What is said of single transfers first: it has the reasons. */
const partsFirst = <Line extends StatusLine>(lines: readonly Line[]) => [
  ...lines.filter(isTransfer),
  ...lines.filter((line) => !isTransfer(line)),
];

const wholesFirst = <Line extends StatusLine>(lines: readonly Line[]) => [
  ...lines.filter((line) => !isTransfer(line)),
  ...lines.filter(isTransfer),
];
