/**
 * `npm run decide`: lists the verifications that wait for a decision, the oldest first.
 * `npm run decide -- VERIFICATION APPROVED|REJECTED [--note TEXT]`: ends one. With DAYBOOK_ADMIN_TOKEN it asks the running
 * service, at --url or where its configuration says; without, it writes to the database itself.
 */
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { createReadDb } from '../../../projections/database.ts';
import { openVerifications } from '../../../projections/models/verifications.ts';
import { aggregates } from '../../domain/aggregates.ts';
import { reactions } from '../../domain/reactions/reactions.ts';
import { createDispatcher } from '../../infrastructure/commands/dispatch.ts';
import { createLog } from '../../infrastructure/observe/log.ts';
import { createPool } from '../../infrastructure/postgres/pool.ts';
import { systemClock } from '../../kernel/clock.ts';
import { systemIds } from '../../kernel/ids.ts';
import { decide } from '../../use-cases/customers/decide.ts';
import { type Config, readConfig } from '../config.ts';
import { openDataDirectory } from '../installation.ts';
import { openEventStore } from '../parts/event-store.ts';

const usage = 'Usage: npm run decide [-- VERIFICATION APPROVED|REJECTED [--note TEXT]] [--url ADDRESS]';
const listMax = 100;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { note: { type: 'string' }, url: { type: 'string' } },
});
const [verificationId, verdict] = positionals;
const asked = z
  .union([z.tuple([]), z.tuple([z.string(), z.enum(['APPROVED', 'REJECTED'])])])
  .safeParse(positionals);

const line = (text: string): void => void process.stdout.write(`${text}\n`);
const listed = z.object({ id: z.string(), verificationStatus: z.string(), customerId: z.string() });
const answerShape = listed
  .partial()
  .extend({ message: z.string(), data: z.array(listed) })
  .partial();
type Listed = z.output<typeof listed>;
const show = (rows: readonly Listed[]) => {
  for (const { id, verificationStatus, customerId } of rows)
    line(`${id}  ${verificationStatus}  ${customerId}`);
  if (rows.length === 0) line('No verification waits for a decision.');
};

try {
  if (asked.success) await run(readConfig());
  else {
    process.stderr.write(`${usage}\n`);
    process.exitCode = 2;
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

function run(config: Config): Promise<void> {
  const { adminToken } = config.outside;
  return adminToken ? askService(config, adminToken) : writeToLog(config);
}

async function askService({ host, port, publicUrl }: Config, token: string): Promise<void> {
  const address = values.url ?? publicUrl ?? `http://${host}:${port}`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const path = verificationId ? `${encodeURIComponent(verificationId)}/decide` : '';
  const body = JSON.stringify({ decision: verdict, note: values.note });
  const request = verificationId ? { method: 'POST', headers, body } : { headers };
  const response = await fetch(`${address}/admin/verifications${path && `/${path}`}`, request);
  const answer = answerShape.parse(await response.json());
  if (response.status !== 200) throw new Error(answer.message ?? `the service answered ${response.status}`);
  if (verificationId) line(`${answer.id} is ${answer.verificationStatus}.`);
  else show(answer.data ?? []);
}

/** The service need not run; where it does, its processes follow the log. */
async function writeToLog(config: Config): Promise<void> {
  const log = createLog(config.logLevel);
  const installation = await openDataDirectory(config, log);
  const { databaseUrl } = installation;
  const readDb = createReadDb(createPool({ url: databaseUrl, max: 2, name: 'decide' }));
  const store = await openEventStore({ eventStoreUrl: config.eventStoreUrl, databaseUrl, log });
  const now = () => systemClock.now();
  const commands = createDispatcher({ store, newEventId: systemIds.uuid, now }, aggregates, reactions);
  try {
    if (verificationId && (verdict === 'APPROVED' || verdict === 'REJECTED')) {
      const decision = { verdict, note: values.note, by: 'operator' } as const;
      const { verification } = await decide({ commands, readDb, now }, verificationId, decision);
      line(`${verificationId} is ${verification.verificationStatus}.`);
    } else {
      const rows = await openVerifications(readDb, listMax);
      show(
        rows.map(({ id, status, customer_id }) => ({
          id,
          verificationStatus: status,
          customerId: customer_id,
        })),
      );
    }
  } finally {
    await readDb.destroy();
    await store.close();
    await installation.close();
  }
}
