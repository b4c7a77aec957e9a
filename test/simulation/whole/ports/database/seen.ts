/** What is seen of an installation from outside of it: its tables, and the log wherever that is. */
import type { ServerLog } from '../../../../support/servers/eventstoredb-server/log.ts';
import type { Outbox } from '../mails.ts';
import type { Control } from './postgres.ts';

/** The database as it is seen from outside, and the log that is not in it. */
export const controlWith = (log: ServerLog | undefined, control: Control): Control =>
  log
    ? {
        ...control,
        logEnd: async () => log.all.at(-1)?.position ?? 0n,
        countOf: async (type) => log.all.filter((event) => event.type === type).length,
      }
    : control;

/** What the service has of a mail. */
export async function outboxOf({ rows, logEnd }: Control, id: string): Promise<Outbox> {
  const [found] = await rows<Omit<Outbox, 'logEnd'>>(
    `select encode(c.mac, 'hex') as mac, true as "isThere", e.released_at is not null as "isReleased",
       e.sent_at is not null as "isRecorded"
     from daybook.emails e left join daybook.one_time_codes c using (id) where id = $1`,
    [id],
  );
  const known = found ?? { mac: null, isThere: false, isReleased: false, isRecorded: false };
  return { ...known, logEnd: await logEnd() };
}

/** Whether there is a timer, a webhook, a mail, a payment or anybody who follows the log that is not at its end. */
export async function isWaiting({ rows, logEnd }: Control): Promise<boolean> {
  const [found] = await rows<{ waits: boolean }>(
    `
    select exists (select from daybook.timers)
      or exists (select from daybook.webhook_events where state = 'PENDING')
      or exists (select from daybook.webhook_redeliveries)
      or exists (select from daybook.emails where released_at is not null and sent_at is null)
      or exists (select from daybook.parked_work)
      or exists (select from daybook.erasures where done_at is null)
      or exists (select from daybook.transactions where status in ('PENDING', 'PROCESSING'))
      or (select min(position) from daybook.checkpoints where name in ('projections', 'policies')) < $1
        as waits`,
    [await logEnd()],
  );
  return found?.waits !== false;
}
