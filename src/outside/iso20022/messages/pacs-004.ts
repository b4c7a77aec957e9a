/** Reads `pacs.004`, the payment return. */
import { amountAt } from '../values/amounts.ts';
import { all, type Element, need, needText, textAt } from '../xml/element.ts';
import { identifierMax, nameAt } from './identifiers.ts';
import type { BankMessage, Return } from './model.ts';

/** Throws `Unreadable`. */
export function readReturns(root: Element): BankMessage {
  const message = need(root, 'PmtRtr');
  const header = need(message, 'GrpHdr');
  const messageId = needText(header, 'MsgId', identifierMax);
  return {
    kind: 'returns',
    messageId,
    returns: all(message, 'TxInf').map((line, index) => returnOf(line, `${messageId}/${index + 1}`)),
  };
}

function returnOf(line: Element, place: string): Return {
  return {
    endToEndId: nameAt(line, 'OrgnlEndToEndId', 'OrgnlTxRef/PmtId/EndToEndId'),
    amount: amountAt(line, 'RtrdIntrBkSttlmAmt'),
    returnId: textAt(line, 'RtrId') ?? place,
    reasonCode: textAt(line, 'RtrRsnInf/Rsn/Cd', 'RtrRsnInf/Rsn/Prtry'),
  };
}
