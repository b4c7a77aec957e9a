/** For auditors: a role that reads the auditors' views, questions to them, and a digest of the log. */
import { createHash } from 'node:crypto';
import { createAuditor, dropAuditor } from '../../../../projections/auditor/roles.ts';
import { createReadDb, type ReadDb } from '../../../../projections/database.ts';
import { pagesOf } from '../../../../projections/projector/rebuild/pages.ts';
import { codeOf } from '../../../infrastructure/error-code.ts';
import { askReadOnly, createPool } from '../../../infrastructure/postgres/pool.ts';
import { newSecret } from '../../../kernel/ids.ts';
import { canonical } from '../../../kernel/json.ts';
import { readConfig } from '../../config.ts';
import { cannotStart, insufficientPrivilege, wordsOf } from '../../start/cannot-start.ts';
import { onDatabase, onLog } from './beside.ts';
import { asCsv, asTable } from './rows.ts';

const pageMax = 5_000;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Makes the role and prints its password, this once. */
export const makeAuditor = (
  name: string,
  { log: readsLog = false }: { readonly log?: boolean } = {},
): Promise<void> =>
  withTables(async (db, databaseUrl) => {
    const password = newSecret();
    const views = await createAuditor(db, name, { password, readsLog });
    const readable = [...views.map((view) => `auditor.${view}`), ...(readsLog ? ['daybook_log.events'] : [])];
    print(`${name} may read ${readable.join(', ')}, and nothing else.`);
    print(`Its password, printed this once: ${password}`);
    const address = addressFor(databaseUrl, { name, password });
    if (address !== undefined) print(`Its address: ${address}`);
    if (readConfig().databaseUrl === undefined)
      print('The embedded database listens on this machine alone, on another port after each start.');
  });

type Role = { readonly name: string; readonly password: string };

/** The same database for another role, wherever the address names the present one; `undefined` where it is no URL of Postgres. */
export function addressFor(databaseUrl: string, { name, password }: Role): string | undefined {
  const url = URL.parse(databaseUrl);
  if (!url?.protocol.startsWith('postgres')) return undefined;
  for (const parameter of ['user', 'password']) url.searchParams.delete(parameter);
  if (url.hostname === '') {
    // Where there is no host, as with a socket, there is nobody before it either.
    url.searchParams.set('user', name);
    url.searchParams.set('password', password);
    return url.href;
  }
  url.username = encodeURIComponent(name);
  url.password = password;
  return url.href;
}

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
 * Prints the SHA-256 of all events up to a position, or to the end, as they are stored: what is sealed in them stays so
 * when a customer is erased, and what a platform was put back from stays in the log. The same events give the same digest,
 * on whatever server they are: who has noted it can tell later that nothing was changed.
 */
export const digestLog = ({ until }: { readonly until?: bigint }): Promise<void> =>
  onLog(async ({ wholeLog: store }) => {
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

/** As somebody who may make roles, which the service's own role in an embedded database may not. */
const withTables = (work: (db: ReadDb, databaseUrl: string) => Promise<void>): Promise<void> =>
  onDatabase(async ({ administratorUrl: url }) => {
    const db = createReadDb(createPool({ url, max: 1, name: 'auditor', statementMaxMs: 0 }));
    await work(db, url)
      .catch(toldOfRights)
      .finally(() => db.destroy());
  });

function toldOfRights(cause: unknown): never {
  if (codeOf(cause) !== insufficientPrivilege) throw cause;
  throw cannotStart({
    variable: 'DATABASE_URL',
    tried: `its user may not make and drop roles (${wordsOf(cause)})`,
    next: 'Set it to the address of an administrator of the server, for this command alone',
    cause,
  });
}
