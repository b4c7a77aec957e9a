/** Files as banks write them. */

const document = (message: string, ...lines: readonly string[]): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${message}">`,
    ...lines,
    '</Document>',
  ].join('\n');

export const euroAccount = 'DE89370400440532013000';
export const sterlingAccount = 'GB29NWBK60161331926819';

export type Movement = {
  readonly amount?: string;
  readonly currency?: string;
  readonly direction?: 'CRDT' | 'DBIT';
  readonly reference?: string;
  readonly endToEndId?: string;
  readonly remittance?: string;
  readonly returnCode?: string;
  readonly reversal?: boolean;
  readonly status?: string;
};

const optional = (text: string | undefined, element: (text: string) => string) =>
  text === undefined ? '' : element(text);

/** An entry with one transaction, as version 8 has it. */
export const entry = ({
  amount = '12.34',
  currency = 'EUR',
  direction = 'CRDT',
  reference = 'BANKREF1',
  endToEndId,
  remittance,
  returnCode,
  reversal,
  status = 'BOOK',
}: Movement): string => `
  <Ntry>
    <Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd>
    ${reversal ? '<RvslInd>true</RvslInd>' : ''}
    <Sts><Cd>${status}</Cd></Sts><BookgDt><Dt>2026-11-02</Dt></BookgDt>
    ${reference === '' ? '' : `<AcctSvcrRef>${reference}</AcctSvcrRef>`}
    <BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd>
    <NtryDtls><TxDtls>
      <Refs>${optional(endToEndId, (id) => `<EndToEndId>${id}</EndToEndId>`)}</Refs>
      <Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd>
      ${optional(remittance, (text) => `<RmtInf><Ustrd>${text}</Ustrd></RmtInf>`)}
      ${optional(returnCode, (code) => `<RtrInf><Rsn><Cd>${code}</Cd></Rsn></RtrInf>`)}
    </TxDtls></NtryDtls>
  </Ntry>`;

type Statement = { readonly id?: string; readonly account?: string; readonly summary?: string };

export const statement = (
  entries: readonly string[],
  { id = 'STMT1', account = euroAccount, summary = '' }: Statement = {},
): string =>
  document(
    'camt.053.001.08',
    '<BkToCstmrStmt>',
    `<GrpHdr><MsgId>MSG${id}</MsgId><CreDtTm>2026-11-02T06:00:00Z</CreDtTm></GrpHdr>`,
    `<Stmt><Id>${id}</Id><Acct><Id><IBAN>${account}</IBAN></Id></Acct>${summary}`,
    ...entries,
    '</Stmt></BkToCstmrStmt>',
  );

type Report = {
  readonly messageId: string;
  readonly group?: string;
  readonly groupReason?: string;
  readonly block?: { readonly id: string; readonly status: string; readonly reason?: string };
  readonly transfers?: readonly {
    readonly endToEndId: string;
    readonly status: string;
    readonly code?: string;
  }[];
};

const reason = (code: string | undefined) =>
  optional(code, (text) => `<StsRsnInf><Rsn><Cd>${text}</Cd></Rsn></StsRsnInf>`);

export const statusReport = ({ messageId, group, groupReason, block, transfers = [] }: Report): string =>
  document(
    'pain.002.001.10',
    '<CstmrPmtStsRpt><GrpHdr><MsgId>STATUS1</MsgId><CreDtTm>2026-11-02T06:00:00Z</CreDtTm></GrpHdr>',
    `<OrgnlGrpInfAndSts><OrgnlMsgId>${messageId}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>`,
    optional(group, (status) => `<GrpSts>${status}</GrpSts>`),
    `${reason(groupReason)}</OrgnlGrpInfAndSts>`,
    `<OrgnlPmtInfAndSts><OrgnlPmtInfId>${block?.id ?? `${messageId}-1`}</OrgnlPmtInfId>`,
    optional(block?.status, (status) => `<PmtInfSts>${status}</PmtInfSts>`),
    reason(block?.reason),
    ...transfers.map(
      ({ endToEndId, status, code }) =>
        `<TxInfAndSts><OrgnlEndToEndId>${endToEndId}</OrgnlEndToEndId><TxSts>${status}</TxSts>${reason(code)}</TxInfAndSts>`,
    ),
    '</OrgnlPmtInfAndSts></CstmrPmtStsRpt>',
  );

export const paymentReturn = (endToEndId: string, amount: string, code: string, currency = 'EUR'): string =>
  document(
    'pacs.004.001.09',
    '<PmtRtr><GrpHdr><MsgId>RETURN1</MsgId><CreDtTm>2026-11-03T06:00:00Z</CreDtTm><NbOfTxs>1</NbOfTxs></GrpHdr>',
    `<TxInf><RtrId>R1</RtrId><OrgnlEndToEndId>${endToEndId}</OrgnlEndToEndId>`,
    `<RtrdIntrBkSttlmAmt Ccy="${currency}">${amount}</RtrdIntrBkSttlmAmt>`,
    `<RtrRsnInf><Rsn><Cd>${code}</Cd></Rsn></RtrRsnInf></TxInf></PmtRtr>`,
  );
