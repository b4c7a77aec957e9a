/**
 * The outbox of mails. A mail is written, sealed, before the event that it is about, and leaves only once the log has
 * that event: so a mail never announces what did not happen. Without a mail server it stays here, and the sandbox's
 * platforms read it.
 */
import { z } from 'zod';
import type { EmailRow } from '../../../projections/tables/wallets.ts';
import { within } from '../../infrastructure/deadlines/within.ts';
import type { Every } from '../../infrastructure/jobs/periodic.ts';
import type { SessionId, WorkSession } from '../../infrastructure/jobs/work-session.ts';
import type { Log } from '../../infrastructure/observe/log.ts';
import type { Pool, PoolClient } from '../../infrastructure/postgres/pool.ts';
import { inSteps } from '../../infrastructure/scheduling/steps.ts';
import type { Sealer } from '../../infrastructure/secrets/sealing.ts';
import { doubledMs } from '../../kernel/backoff.ts';
import type { Mail, MailOutbox } from '../../use-cases/wallets/codes/mail.ts';
import { coalesced } from '../coalesced.ts';
import type { Mailer } from './smtp.ts';

const lookEveryMs = 1_000;
/** Mails of one process on their way at a time. */
const sendingMax = 16;
/** A mail server may take so long in all. */
const sendMaxMs = 30_000;
/** Whoever claims a mail has it to itself for this long, while its session lives. */
const leaseMs = 45_000;
const retryBounds = { minMs: 1_000, maxMs: 30_000 };
const stopMaxMs = 2_000;
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
  /** Begins to send what is due, as much as there is room for. */
  readonly look: () => Promise<void>;
  /** Sends from now on. Returns what ends it. */
  readonly work: () => () => Promise<void>;
  readonly close: () => Promise<void>;
};

type Deps = {
  readonly pool: Pool;
  readonly session: WorkSession;
  readonly sealer: Sealer;
  readonly every: Every;
  /** Where there is none, no mail leaves. */
  readonly mailer: Mailer | undefined;
  readonly log: Log;
  /** The installation's. */
  readonly now: () => Date;
  /** Of a platform, where it is not the installation's. */
  readonly nowOf: (platformId: string) => Date;
};

const claimQuery = `
  update emails set attempts = attempts + 1, locked_until = $2, claimed_by = $4 where id = any (array(
    select id from emails
    where released_at is not null and sent_at is null and next_attempt_at <= $1 and expires_at > $1
      and (locked_until is null or locked_until <= $1)
    order by next_attempt_at limit $3 for update skip locked))
  returning *`;

export function openEmails({ pool, session, sealer, every, mailer, log, now, nowOf }: Deps): Emails {
  const sending = new Map<Promise<void>, AbortController>();
  let isWorking = false;

  const inInstallationTime = (platformId: string, at: Date) =>
    new Date(at.getTime() - nowOf(platformId).getTime() + now().getTime());
  const open = (row: EmailRow) => opened(sealer, row);
  const send = async (row: EmailRow, trying: AbortController) => {
    const { id, attempts } = row;
    try {
      const sent = mailer?.send(id, open(row), trying);
      if ((await within(sendMaxMs, sent)) === 'late') {
        sent?.catch(() => undefined);
        throw new Error(`no answer within ${sendMaxMs} ms`);
      }
      await isSent(pool, id, now());
    } catch (error) {
      // What a mail server says may name the receiver.
      log.warn({ mailId: id, attempts, code: codeOf(error) }, 'a mail was not sent');
      // What goes on would bring the mail once more, after the next try has.
      trying.abort();
      await tryAgain(pool, row, new Date(now().getTime() + doubledMs(attempts, retryBounds)));
    }
  };
  const begin = (row: EmailRow) => {
    const trying = new AbortController();
    const one = send(row, trying)
      .catch((error) => log.warn({ err: error }, 'what became of a mail was not recorded'))
      .finally(() => {
        sending.delete(one);
        if (sending.size === 0) lookAgain();
      });
    sending.set(one, trying);
  };
  const look = coalesced(async () => {
    const room = sendingMax - sending.size;
    if (!mailer || !isWorking || room <= 0) return;
    const until = new Date(now().getTime() + leaseMs);
    const values = (own: SessionId) => [now(), until, room, own];
    for (const row of await session.claim<EmailRow>({ name: 'claim-mails', text: claimQuery, values }))
      begin(row);
  });
  const lookAgain = () => {
    look().catch((error) => log.warn({ err: error }, 'mails were not claimed'));
  };

  return {
    open,
    look,
    canReach: (environment) => mailer !== undefined || environment === 'sandbox',
    async write({ id, platformId, environment, mail, expiresAt }) {
      const { sealed, masterKeyId } = sealer.seal(JSON.stringify(mail), mailContext(id));
      await pool.query(
        `insert into emails (id, platform_id, environment, sealed, master_key_id, attempts, created_at, expires_at)
         values ($1, $2, $3, $4, $5, 0, $6, $7)`,
        [id, platformId, environment, sealed, masterKeyId, now(), inInstallationTime(platformId, expiresAt)],
      );
    },
    async discard(id) {
      await pool.query('delete from emails where id = $1 and released_at is null', [id]);
    },
    async release(id) {
      const { rowCount } = await pool.query(
        'update emails set released_at = $2, next_attempt_at = $2 where id = $1 and released_at is null',
        [id, now()],
      );
      // Nobody who follows the log waits for a mail server.
      if (rowCount === 1) lookAgain();
    },
    work() {
      isWorking = true;
      const stop = every('mails', lookEveryMs, look);
      return async () => {
        isWorking = false;
        await stop();
        const isOver = () => within(stopMaxMs, Promise.all(sending.keys()));
        if ((await isOver()) !== 'late') return;
        // Whoever goes on with the work may send them at once.
        for (const trying of sending.values()) trying.abort();
        await isOver();
      };
    },
    async close() {
      mailer?.close();
    },
  };
}

/** In the sandbox the platform reads its mails, sent or not; elsewhere nobody needs the text any more. */
const isSent = (pool: Pool, id: string, at: Date) =>
  pool.query(
    `update emails set sent_at = $2, locked_until = null, claimed_by = null,
       sealed = case when environment = 'sandbox' then sealed end where id = $1`,
    [id, at],
  );

/** Unless somebody else has it by now. */
const tryAgain = (pool: Pool, { id, attempts }: EmailRow, at: Date) =>
  pool.query(
    `update emails set next_attempt_at = $3, locked_until = null, claimed_by = null
     where id = $1 and attempts = $2 and sent_at is null`,
    [id, attempts, at],
  );

const codeOf = (error: unknown): unknown =>
  error instanceof Error && ('responseCode' in error ? error.responseCode : 'code' in error && error.code);

/** Forgets mails that are of no use to their receivers, so many hours after they were written. */
export const forgetMails = (pool: Pool, now: Date, keptHours: number): Promise<number> =>
  inSteps(async (max) => {
    const { rowCount } = await pool.query(
      `delete from emails where id in (
         select id from emails where created_at < $1::timestamptz - $2 * interval '1 hour' and expires_at <= $1
         order by created_at limit $3)`,
      [now, keptHours, max],
    );
    return rowCount ?? 0;
  });

/** Frees what sessions that have ended had claimed. */
export const freeMails = async (client: PoolClient, ended: readonly SessionId[]): Promise<void> => {
  await client.query(
    `update emails set locked_until = null, claimed_by = null
     where released_at is not null and sent_at is null and claimed_by = any($1)`,
    [[...ended]],
  );
};

function opened(sealer: Sealer, { id, sealed, master_key_id: masterKeyId }: EmailRow): Mail {
  if (!sealed) throw new Error(`the mail ${id} has been sent and forgotten`);
  return mailSchema.parse(JSON.parse(sealer.unseal({ masterKeyId, sealed }, mailContext(id))));
}

export const mailContext = (id: string): string => `${id} mail`;
