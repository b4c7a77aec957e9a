/** Reads `pain.002`, the customer payment status report. */
import { namesDuplicate } from '../values/reasons.ts';
import { all, at, type Element, need, needText, textAt } from '../xml/element.ts';
import { identifierMax, nameAt } from './identifiers.ts';
import type { BankMessage, StatusLine, Subject } from './model.ts';

/** Throws `Unreadable`. */
export function readStatusReport(root: Element): BankMessage {
  const report = need(root, 'CstmrPmtStsRpt');
  const group = need(report, 'OrgnlGrpInfAndSts');
  const messageId = needText(group, 'OrgnlMsgId', identifierMax);
  const blocks = all(report, 'OrgnlPmtInfAndSts');
  return {
    kind: 'status-report',
    messageId: needText(report, 'GrpHdr/MsgId', identifierMax),
    lines: [
      ...lineOf([group], 'GrpSts', { of: 'message', messageId }),
      ...blocks.flatMap((block) => [
        ...lineOf([block, group], 'PmtInfSts', {
          of: 'block',
          messageId,
          paymentInformationId: needText(block, 'OrgnlPmtInfId', identifierMax),
        }),
        ...all(block, 'TxInfAndSts').flatMap((line) => transferLine([line, block, group], messageId)),
      ]),
    ],
  };
}

/** A part of the report, and the parts that it stands in. */
type Nested = readonly [part: Element, ...within: readonly Element[]];

/** Also of one that is not named: what a bank refuses is never left out. */
function transferLine(nested: Nested, messageId: string): readonly StatusLine[] {
  const [line] = nested;
  const endToEndId = nameAt(line, 'OrgnlEndToEndId', 'OrgnlTxRef/PmtId/EndToEndId');
  const instructionId = nameAt(line, 'OrgnlInstrId', 'OrgnlTxRef/PmtId/InstrId');
  return lineOf(nested, 'TxSts', { of: 'transfer', messageId, endToEndId, instructionId });
}

/** A part of the report may leave its status to the parts in it, and its reason to those that it stands in. */
function lineOf(nested: Nested, name: string, subject: Subject): readonly StatusLine[] {
  const [part] = nested;
  if (!at(part, name)) return [];
  const status = needText(part, name, 4);
  const reasons = nested.map((one) => all(one, 'StsRsnInf')).find(({ length }) => length > 0) ?? [];
  const [reasonCode] = reasons.flatMap((one) => textAt(one, 'Rsn/Cd', 'Rsn/Prtry') ?? []);
  return [{ subject, status, reasonCode, isDuplicate: reasons.flatMap(wordsOf).some(namesDuplicate) }];
}

const wordsOf = (reason: Element): readonly string[] => [
  ...['Rsn/Cd', 'Rsn/Prtry'].flatMap((path) => textAt(reason, path) ?? []),
  ...all(reason, 'AddtlInf').map(({ text }) => text),
];
