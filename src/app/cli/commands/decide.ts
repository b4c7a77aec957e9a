import { z } from 'zod';
import { createReadDb } from '../../../../projections/database.ts';
import { openVerifications } from '../../../../projections/models/verifications.ts';
import { reachable } from '../../../infrastructure/http/server.ts';
import { createPool } from '../../../infrastructure/postgres/pool.ts';
import { isId } from '../../../kernel/ids.ts';
import { decide, decideOwner } from '../../../use-cases/customers/decide.ts';
import { type Config, readConfig } from '../../config.ts';
import { UsageError } from '../usage-error.ts';
import { ask } from './ask.ts';
import { withCommands } from './beside.ts';
import { bounded } from './bounded.ts';
import { untilShown } from './until-shown.ts';

const listMax = 100;

export type Verdict = 'APPROVED' | 'REJECTED';
type Options = {
  readonly url?: string;
  readonly note?: string | undefined;
  /** Where the list goes on, as the one before has said. */
  readonly cursor?: string | undefined;
};
/** Of a verification, or of the check of one owner of a business. */
type Decision = { readonly id: string; readonly verdict: Verdict };

const line = (text: string): void => void process.stdout.write(`${text}\n`);
const listed = z.object({ id: z.string(), verificationStatus: z.string(), customerId: z.string() });
const answerShape = listed
  .partial()
  .extend({
    kycStatus: z.string(),
    message: z.string(),
    data: z.array(listed),
    nextCursor: z.string(),
  })
  .partial();
type Listed = z.output<typeof listed>;
const show = (rows: readonly Listed[], nextCursor: string | undefined) => {
  for (const { id, verificationStatus, customerId } of rows)
    line(`${id}  ${verificationStatus}  ${customerId}`);
  if (rows.length === 0) line('No verification waits for a decision.');
  if (nextCursor !== undefined) line(`There are more: daybook decide --cursor ${nextCursor}`);
};

/**
 * Lists the verifications that wait for a decision, the oldest first, or ends one, or the check of an owner. With
 * DAYBOOK_ADMIN_TOKEN it asks the running service, at `url` or where its configuration says; without, it writes to the log
 * itself. Throws `UsageError` for what is no id, for a note out of bounds, and for a `url` without that token.
 */
export async function decideVerification(decision: Decision | undefined, given: Options): Promise<void> {
  if (decision && !isId('Verification', decision.id) && !isId('BeneficialOwner', decision.id))
    throw new UsageError(
      `${decision.id} is no id of a verification or an owner: Verification:<uuid>, or BeneficialOwner:<uuid>.`,
    );
  const { note } = given;
  const options = { ...given, note: note === undefined ? undefined : bounded('--note', note) };
  const config = readConfig();
  const { adminToken } = config.outside;
  if (given.url && !adminToken)
    throw new UsageError('--url needs the token of the service there: set DAYBOOK_ADMIN_TOKEN.');
  await (adminToken
    ? askService(config, adminToken, decision, options)
    : writeToLog(config, decision, options));
}

async function askService(
  { host, port, publicUrl }: Config,
  token: string,
  decision: Decision | undefined,
  { url, note, cursor }: Options,
): Promise<void> {
  const address = url ?? publicUrl ?? `http://${reachable(host)}:${port}`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const path = decision ? pathOf(decision) : `/verifications${listedFrom(cursor)}`;
  const body = JSON.stringify({ decision: decision?.verdict, note });
  const request = decision ? { method: 'POST', headers, body } : { headers };
  const response = await ask(`${address}/admin${path}`, request);
  const { data: answer } = answerShape.safeParse(await response.json().catch(() => undefined));
  if (!answer || (response.status !== 200 && !answer.message))
    throw new Error(
      `What answers at ${address} is no Daybook: its answer is ${response.status}. Correct --url.`,
    );
  if (response.status !== 200) throw new Error(answer.message);
  if (decision) line(`${answer.id} is ${answer.verificationStatus ?? answer.kycStatus}.`);
  else show(answer.data ?? [], answer.nextCursor);
}

const pathOf = ({ id }: Decision): string =>
  `/${isId('Verification', id) ? 'verifications' : 'beneficial-owners'}/${encodeURIComponent(id)}/decide`;

const listedFrom = (cursor: string | undefined): string =>
  cursor === undefined ? '' : `?${new URLSearchParams({ cursor })}`;

/** The service need not run; where it does, its processes follow the log. */
const writeToLog = (
  config: Config,
  decision: Decision | undefined,
  { note, cursor }: Options,
): Promise<void> =>
  withCommands(async ({ databaseUrl, commands, now, last }) => {
    const readDb = createReadDb(createPool({ url: databaseUrl, max: 2, name: 'decide' }));
    try {
      if (decision) {
        const { id, verdict } = decision;
        const asked = { verdict, note, by: 'operator' } as const;
        const untilAllShown = () => untilShown(readDb, last);
        const deps = { commands, readDb, untilAllShown, now };
        const status = isId('Verification', id)
          ? (await decide(deps, id, asked)).verification.verificationStatus
          : (await decideOwner(deps, id, asked)).kycStatus;
        line(`${id} is ${status}.`);
      } else {
        const { rows, nextCursor } = await openVerifications(readDb, { limit: listMax, cursor });
        show(
          rows.map(({ id, status, customer_id }) => ({
            id,
            verificationStatus: status,
            customerId: customer_id,
          })),
          nextCursor,
        );
      }
    } finally {
      await readDb.destroy();
    }
  }, config);
