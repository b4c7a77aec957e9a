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

/** Returns what an operator has to look at. */
export function createRefusals({ own, outcomes }: Deps) {
  const subjectsOf = async ({ subject }: StatusLine): Promise<readonly OwnPayment[]> => {
    const messageId = subject.messageId.toLowerCase();
    if (subject.of === 'transfer')
      return subject.endToEndId === undefined
        ? (await own.membersOf(messageId)).filter((one) => isInstructedBy(one, subject.instructionId))
        : [await own.find(subject.endToEndId)].filter((one) => one !== undefined);
    const isBlock =
      subject.of === 'message' || subject.paymentInformationId.toLowerCase() === blockOf(messageId);
    return isBlock ? own.membersOf(messageId) : [];
  };

  /** The payments of which any line says that they are duplicates, each with the line of the largest part that says so. */
  const duplicatesIn = async (lines: readonly Refusal[]): Promise<ReadonlyMap<string, Refusal>> => {
    const found = new Map<string, Refusal>();
    for (const line of wholesFirst(lines.filter(({ isDuplicate }) => isDuplicate)))
      for (const { endToEndId, facts } of await subjectsOf(line))
        if (facts.sent && !found.has(endToEndId)) found.set(endToEndId, line);
    return found;
  };

  const refuse = async (line: Refusal, isDuplicate: (endToEndId: string) => boolean) => {
    const { source, reasonCode } = line;
    const subjects = await subjectsOf(line);
    if (subjects.length === 0) return [caseOf('UNKNOWN_PAYMENT', source, line)];
    const cases: Case[] = [];
    for (const subject of subjects) {
      if (isDuplicate(subject.endToEndId)) continue;
      const why = await outcomes.refused({ ...subject, source, reasonCode });
      if (why) cases.push(caseOf(why, subject.endToEndId, line));
    }
    return cases;
  };

  return async ({ messageId, lines }: StatusReport): Promise<readonly Case[]> => {
    const refusals = partsFirst(lines)
      .map((line, index) => ({ ...line, source: `pain.002/${messageId}/${index + 1}` }))
      .filter(({ status }) => refusing.has(status));
    const duplicates = await duplicatesIn(refusals);
    const cases = [...new Set(duplicates.values())].map((line) =>
      caseOf('DUPLICATE_REFUSED', nameOf(line), line),
    );
    for (const line of refusals) cases.push(...(await refuse(line, (id) => duplicates.has(id))));
    return cases;
  };
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

/** Banks that leave out the identifier for the payee's side may have that for their own. */
const isInstructedBy = ({ facts: { first } }: OwnPayment, instructionId: string | undefined): boolean =>
  first.was === 'taken' && first.transfer.instructionId === instructionId?.trim();

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
