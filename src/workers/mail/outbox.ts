/**
 * The outbox of mails. A mail is written, sealed, before the event that it is about, and leaves only once the log has
 * that event: so a mail never announces what did not happen. Without a mail server it stays here, and the sandbox's
 * platforms read it.
 */
import { z } from 'zod';
import type { EmailRow } from '../../../projections/tables/wallets.ts';
import type { Every } from '../../infrastructure/jobs/periodic.ts';
import type { Jobs } from '../../infrastructure/jobs/queues.ts';
import type { Pool } from '../../infrastructure/postgres/pool.ts';
import type { Sealer } from '../../infrastructure/secrets/sealing.ts';
import type { Mail, MailOutbox } from '../../use-cases/wallets/codes/mail.ts';
import { smtpMailer } from './smtp.ts';

const reconcileEveryMs = 5_000;
const dueMax = 1_000;
/** What the sandbox can still read. */
export const keptHours = 24;

const mailSchema = z.object({
  from: z.object({ name: z.string(), address: z.string() }),
  to: z.string(),
  replyTo: z.string().optional(),
  subject: z.string(),
  text: z.string(),
  html: z.string().optional(),
});

export type Emails = MailOutbox & {
  /** The log has what the mail is about. Safe to repeat. */
  readonly release: (id: string) => Promise<void>;
  readonly open: (row: EmailRow) => Mail;
  readonly reconcile: () => Promise<number>;
  readonly work: () => () => Promise<void>;
  readonly close: () => Promise<void>;
};

type Deps = {
  readonly pool: Pool;
  readonly sealer: Sealer;
  readonly jobs: Jobs;
  readonly every: Every;
  readonly smtpUrl: string | undefined;
  readonly now: () => Date;
};

export function openEmails({ pool, sealer, jobs, every, smtpUrl, now }: Deps): Emails {
  // Without a mail server nothing is queued, and no connections are held for it.
  const outgoing = smtpUrl
    ? { mailer: smtpMailer(smtpUrl), queue: jobs.queue<{ readonly id: string }>('emails') }
    : undefined;

  const open = (row: EmailRow) => opened(sealer, row);
  const enqueue = async (id: string) => {
    await outgoing?.queue.add(id, { id }, 0);
  };
  const send = async ({ id }: { readonly id: string }) => {
    const { rows } = await pool.query<EmailRow>(
      `update emails set attempts = attempts + 1
       where id = $1 and released_at is not null and sent_at is null and expires_at > $2 returning *`,
      [id, now()],
    );
    const [row] = rows;
    if (!row || !outgoing) return;
    await outgoing.mailer.send(id, open(row));
    // In the sandbox the platform reads its mails, sent or not; elsewhere nobody needs the text any more.
    await pool.query(
      `update emails set sent_at = $2, sealed = case when environment = 'sandbox' then sealed end where id = $1`,
      [id, now()],
    );
  };
  const reconcile = async () => {
    await forget(pool, now());
    if (!outgoing) return 0;
    const { rows } = await pool.query<{ id: string }>(
      `select id from emails where released_at is not null and sent_at is null and expires_at > $1 limit ${dueMax}`,
      [now()],
    );
    for (const { id } of rows) await enqueue(id);
    return rows.length;
  };

  return {
    open,
    reconcile,
    canReach: (environment) => outgoing !== undefined || environment === 'sandbox',
    async write({ id, platformId, environment, mail, expiresAt }) {
      const { sealed, masterKeyId } = sealer.seal(JSON.stringify(mail), mailContext(id));
      await pool.query(
        `insert into emails (id, platform_id, environment, sealed, master_key_id, attempts, created_at, expires_at)
         values ($1, $2, $3, $4, $5, 0, $6, $7)`,
        [id, platformId, environment, sealed, masterKeyId, now(), expiresAt],
      );
    },
    async discard(id) {
      await pool.query('delete from emails where id = $1 and released_at is null', [id]);
    },
    async release(id) {
      const { rowCount } = await pool.query(
        'update emails set released_at = $2 where id = $1 and released_at is null',
        [id, now()],
      );
      if (rowCount === 1) await enqueue(id);
    },
    work() {
      outgoing?.queue.work(send);
      return every('mails', reconcileEveryMs, reconcile);
    },
    async close() {
      await outgoing?.queue.close();
      outgoing?.mailer.close();
    },
  };
}

const forget = (pool: Pool, now: Date) =>
  pool.query(
    `delete from emails where created_at < $1::timestamptz - $2 * interval '1 hour' and expires_at <= $1`,
    [now, keptHours],
  );

function opened(sealer: Sealer, { id, sealed, master_key_id: masterKeyId }: EmailRow): Mail {
  if (!sealed) throw new Error(`the mail ${id} has been sent and forgotten`);
  return mailSchema.parse(JSON.parse(sealer.unseal({ masterKeyId, sealed }, mailContext(id))));
}

export const mailContext = (id: string): string => `${id} mail`;
