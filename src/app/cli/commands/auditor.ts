/** For auditors: a role that reads the auditors' views, questions to them, and a digest of the log. */
import { createHash } from 'node:crypto';
import { createAuditor, dropAuditor } from '../../../../projections/auditor/roles.ts';
import { createReadDb, type ReadDb } from '../../../../projections/database.ts';
import { pagesOf } from '../../../../projections/projector/rebuild/pages.ts';
import { askReadOnly, createPool } from '../../../infrastructure/postgres/pool.ts';
import { newSecret } from '../../../kernel/ids.ts';
import { canonical } from '../../../kernel/json.ts';
import { readConfig } from '../../config.ts';
import { onDatabase, onLog } from './beside.ts';
import { asCsv, asTable } from './rows.ts';

const pageMax = 5_000;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Makes the role and prints its password, this once. */
export const makeAuditor = (name: string): Promise<void> =>
  withTables(async (db, databaseUrl) => {
    const password = newSecret();
    const views = await createAuditor(db, name, password);
    const url = new URL(databaseUrl);
    url.username = encodeURIComponent(name);
    url.password = password;
    print(`${name} may read ${views.map((view) => `auditor.${view}`).join(', ')}, and nothing else.`);
    print(`Its password, printed this once: ${password}`);
    if (url.protocol.startsWith('postgres')) print(`Its address: ${url}`);
    if (readConfig().databaseUrl === undefined)
      print('The embedded database listens on this machine alone, on another port after each start.');
  });

export const removeAuditor = (name: string): Promise<void> =>
  withTables(async (db) => {
    await dropAuditor(db, name);
    print(`${name} may read nothing any more.`);
  });

/** Asks one question in a transaction that cannot change anything; the auditors' views need no schema before them. */
export const askAuditor = (question: string, { csv = false }: { readonly csv?: boolean }): Promise<void> =>
  onDatabase(async ({ databaseUrl }) => {
    const answer = await askReadOnly(databaseUrl, 'auditor', question);
    print(csv ? asCsv(answer) : asTable(answer));
  });

/**
 * Prints the SHA-256 of all events up to a position, or to the end. The same events give the same digest, on whatever
 * server they are: who has noted it can tell later that nothing was changed.
 */
export const digestLog = ({ until }: { readonly until?: bigint }): Promise<void> =>
  onLog(async ({ store }) => {
    const last = await store.last();
    const end = until !== undefined && until < last ? until : last;
    const hash = createHash('sha256');
    let [events, position] = [0, 0n];
    for await (const page of end === 0n ? [] : pagesOf(store, { after: undefined, until: last, pageMax })) {
      for (const event of page) {
        if (event.position > end) break;
        const { id, stream, revision, type, data, metadata } = event;
        hash.update(`${canonical([event.position, id, stream, revision, type, data, metadata])}\n`);
        events += 1;
        position = event.position;
      }
      if ((page.at(-1)?.position ?? 0n) >= end) break;
    }
    print(`position ${position}  events ${events}  sha256 ${hash.digest('hex')}`);
  });

const withTables = (work: (db: ReadDb, databaseUrl: string) => Promise<void>): Promise<void> =>
  onDatabase(async ({ databaseUrl }) => {
    const db = createReadDb(createPool({ url: databaseUrl, max: 1, name: 'auditor', statementMaxMs: 0 }));
    await work(db, databaseUrl).finally(() => db.destroy());
  });
