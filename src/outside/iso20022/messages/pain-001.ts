/** Writes `pain.001`, the customer credit transfer initiation. */

import { toDecimal } from '../values/amounts.ts';
import { branch, type Element, leaf } from '../xml/element.ts';
import { type Schema, writeXml } from '../xml/xml.ts';
import type { CreditorAccount, CreditTransfer, OwnAccount, PaymentOrder } from './model.ts';

export const orderVersions = ['pain.001.001.09', 'pain.001.001.03'] as const;
export type OrderVersion = (typeof orderVersions)[number];

export const namespaceOf = (message: string): string => `urn:iso:std:iso:20022:tech:xsd:${message}`;

/** The names that differ from version to version. */
const words = {
  'pain.001.001.09': { bic: 'BICFI', day: (day: string) => branch('ReqdExctnDt', leaf('Dt', day)) },
  'pain.001.001.03': { bic: 'BIC', day: (day: string) => leaf('ReqdExctnDt', day) },
} as const;

/** The text of the file. Throws `Unreadable` where it breaks the schema: nothing of it may leave then. */
export function writeOrder(order: PaymentOrder, version: OrderVersion, schema: Schema): string {
  const initiation = branch('CstmrCdtTrfInitn', header(order), block(order, version));
  return writeXml(namespaceOf(version), branch('Document', initiation), schema);
}

const totals = ({ transfers }: PaymentOrder): readonly Element[] => {
  const sum = transfers.reduce((total, { amount }) => total + amount.minor, 0n);
  return [leaf('NbOfTxs', String(transfers.length)), leaf('CtrlSum', toDecimal(sum))];
};

const seconds = (at: Date) => `${at.toISOString().slice(0, 19)}Z`;

const header = (order: PaymentOrder): Element =>
  branch(
    'GrpHdr',
    leaf('MsgId', order.messageId),
    leaf('CreDtTm', seconds(order.createdAt)),
    ...totals(order),
    branch('InitgPty', leaf('Nm', order.initiatingParty)),
  );

function block(order: PaymentOrder, version: OrderVersion): Element {
  const { account, createdAt, isInstant, transfers } = order;
  return branch(
    'PmtInf',
    leaf('PmtInfId', order.paymentInformationId),
    leaf('PmtMtd', 'TRF'),
    leaf('BtchBookg', 'false'),
    ...totals(order),
    paymentType(account, isInstant),
    words[version].day(createdAt.toISOString().slice(0, 10)),
    branch('Dbtr', leaf('Nm', account.name)),
    branch('DbtrAcct', branch('Id', leaf('IBAN', account.iban)), leaf('Ccy', account.currency)),
    branch('DbtrAgt', branch('FinInstnId', agent(account.bic, version))),
    leaf('ChrgBr', account.currency === 'EUR' ? 'SLEV' : 'SHAR'),
    ...transfers.map((transfer) => transferOf(transfer, version)),
  );
}

function paymentType({ serviceLevel }: OwnAccount, isInstant: boolean): Element | undefined {
  const level = serviceLevel ? branch('SvcLvl', leaf('Cd', serviceLevel)) : undefined;
  const instrument = isInstant ? branch('LclInstrm', leaf('Cd', 'INST')) : undefined;
  return level || instrument ? branch('PmtTpInf', level, instrument) : undefined;
}

/** A bank without a code is named by what SEPA has for that. */
const agent = (bic: string | undefined, version: OrderVersion): Element =>
  bic ? leaf(words[version].bic, bic) : branch('Othr', leaf('Id', 'NOTPROVIDED'));

function transferOf(transfer: CreditTransfer, version: OrderVersion): Element {
  const { amount, creditor } = transfer;
  return branch(
    'CdtTrfTxInf',
    branch('PmtId', leaf('InstrId', transfer.instructionId), leaf('EndToEndId', transfer.endToEndId)),
    branch('Amt', leaf('InstdAmt', toDecimal(amount.minor), { Ccy: amount.currency })),
    creditorAgent(creditor, version),
    branch('Cdtr', leaf('Nm', transfer.creditorName)),
    branch('CdtrAcct', branch('Id', accountOf(creditor))),
    branch('RmtInf', leaf('Ustrd', transfer.remittance)),
  );
}

/** Sort codes are the clearing system GBDSC. */
function creditorAgent(creditor: CreditorAccount, version: OrderVersion): Element | undefined {
  if (creditor.kind === 'iban') {
    return creditor.bic ? branch('CdtrAgt', branch('FinInstnId', agent(creditor.bic, version))) : undefined;
  }
  const system = branch('ClrSysId', leaf('Cd', 'GBDSC'));
  const member = branch('ClrSysMmbId', system, leaf('MmbId', creditor.sortCode));
  return branch('CdtrAgt', branch('FinInstnId', member));
}

const accountOf = (creditor: CreditorAccount): Element =>
  creditor.kind === 'iban'
    ? leaf('IBAN', creditor.iban)
    : branch('Othr', leaf('Id', creditor.accountNumber), branch('SchmeNm', leaf('Cd', 'BBAN')));
