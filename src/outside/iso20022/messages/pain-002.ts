/** Reads `pain.002`, the customer payment status report. */
import { all, at, type Element, need, needText, textAt } from '../xml/element.ts';
import { identifierMax } from './identifiers.ts';
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
      ...lineOf(group, 'GrpSts', { of: 'message', messageId }),
      ...blocks.flatMap((block) => [
        ...lineOf(block, 'PmtInfSts', {
          of: 'block',
          messageId,
          paymentInformationId: needText(block, 'OrgnlPmtInfId', identifierMax),
        }),
        ...all(block, 'TxInfAndSts').flatMap(transferLine),
      ]),
    ],
  };
}

function transferLine(line: Element): readonly StatusLine[] {
  const endToEndId = textAt(line, 'OrgnlEndToEndId', 'OrgnlTxRef/PmtId/EndToEndId');
  return endToEndId === undefined ? [] : lineOf(line, 'TxSts', { of: 'transfer', endToEndId });
}

/** A part of the report may leave its status to the parts in it. */
function lineOf(element: Element, name: string, subject: Subject): readonly StatusLine[] {
  if (!at(element, name)) return [];
  const status = needText(element, name, 4);
  return [{ subject, status, reasonCode: textAt(element, 'StsRsnInf/Rsn/Cd', 'StsRsnInf/Rsn/Prtry') }];
}
