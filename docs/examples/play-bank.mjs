// A bank to try the ISO 20022 rail with: it takes orders from the folder and brings what a bank would bring.
//   node docs/examples/play-bank.mjs FOLDER book                            debits every transfer of the orders in out
//   node docs/examples/play-bank.mjs FOLDER refuse CODE                     refuses them
//   node docs/examples/play-bank.mjs FOLDER return CODE                     returns every transfer it has booked
//   node docs/examples/play-bank.mjs FOLDER credit IBAN AMOUNT CURRENCY TEXT   somebody pays in
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const [folder = '.', action, ...given] = process.argv.slice(2);
const shortId = () => randomUUID().replaceAll('-', '').slice(0, 16);
const document = (message, content) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${message}">${content}</Document>\n`;
const header = () => `<GrpHdr><MsgId>${shortId()}</MsgId><CreDtTm>2026-11-02T09:00:00Z</CreDtTm></GrpHdr>`;
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Writes under another name first, so that nobody reads half a file. */
async function bring(text) {
  const name = `${shortId()}.xml`;
  await writeFile(join(folder, 'in', `.${name}`), text);
  await rename(join(folder, 'in', `.${name}`), join(folder, 'in', name));
  process.stdout.write(`brought ${name}\n`);
}

const textIn = (xml, name) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '';

function transfersIn(order) {
  const account = textIn(/<DbtrAcct>[\s\S]*?<\/DbtrAcct>/.exec(order)?.[0] ?? '', 'IBAN');
  return [...order.matchAll(/<CdtTrfTxInf>[\s\S]*?<\/CdtTrfTxInf>/g)].map(([xml]) => {
    const [, currency, amount] = /<InstdAmt Ccy="(\w+)">([\d.]+)</.exec(xml) ?? [];
    return { account, currency, amount, endToEndId: textIn(xml, 'EndToEndId') };
  });
}

/** Moves the orders of one part of the folder to another. */
async function take(from, to) {
  await mkdir(join(folder, to), { recursive: true });
  const names = (await readdir(join(folder, from))).filter((name) => name.endsWith('.xml'));
  const orders = [];
  for (const name of names) {
    if (from !== to) await rename(join(folder, from, name), join(folder, to, name));
    orders.push(await readFile(join(folder, to, name), 'utf8'));
  }
  return orders;
}

const entry = ({ currency, amount, endToEndId = '' }, direction, details = '') => `
  <Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
    <AcctSvcrRef>${shortId()}</AcctSvcrRef>
    <NtryDtls><TxDtls><Refs>${endToEndId && `<EndToEndId>${endToEndId}</EndToEndId>`}</Refs>
      <Amt Ccy="${currency}">${amount}</Amt>${details}</TxDtls></NtryDtls></Ntry>`;

const statement = (account, entries) =>
  document(
    'camt.053.001.08',
    `<BkToCstmrStmt>${header()}<Stmt><Id>${shortId()}</Id><Acct><Id><IBAN>${account}</IBAN></Id></Acct>${entries.join('')}</Stmt></BkToCstmrStmt>`,
  );

const actions = {
  async book() {
    for (const order of await take('out', 'at-the-bank')) {
      const transfers = transfersIn(order);
      await bring(
        statement(
          transfers[0].account,
          transfers.map((transfer) => entry(transfer, 'DBIT')),
        ),
      );
    }
  },
  async refuse([code]) {
    for (const order of await take('out', 'at-the-bank')) {
      const group = `<OrgnlGrpInfAndSts><OrgnlMsgId>${textIn(order, 'MsgId')}</OrgnlMsgId><GrpSts>RJCT</GrpSts><StsRsnInf><Rsn><Cd>${code}</Cd></Rsn></StsRsnInf></OrgnlGrpInfAndSts>`;
      await bring(document('pain.002.001.10', `<CstmrPmtStsRpt>${header()}${group}</CstmrPmtStsRpt>`));
    }
  },
  async return([code]) {
    const details = `<RtrInf><Rsn><Cd>${code}</Cd></Rsn></RtrInf>`;
    for (const order of await take('at-the-bank', 'at-the-bank')) {
      const transfers = transfersIn(order);
      await bring(
        statement(
          transfers[0].account,
          transfers.map((one) => entry(one, 'CRDT', details)),
        ),
      );
    }
  },
  async credit([account, amount, currency, ...words]) {
    const details = `<RmtInf><Ustrd>${escaped(words.join(' '))}</Ustrd></RmtInf>`;
    await bring(statement(account, [entry({ currency, amount }, 'CRDT', details)]));
  },
};

/** Ends with one line that says what to change. */
function refuse(what) {
  process.stderr.write(`${what}\n`);
  process.exit(2);
}

if (!Object.hasOwn(actions, action ?? ''))
  refuse(
    `Usage: node play-bank.mjs FOLDER ACTION …, where ACTION is one of: ${Object.keys(actions).join(', ')}`,
  );
if (!existsSync(join(folder, 'in')))
  refuse(
    `${folder} is no folder of the rail: there is no ${join(folder, 'in')}. The service makes it when it starts.`,
  );
await actions[action](given);
