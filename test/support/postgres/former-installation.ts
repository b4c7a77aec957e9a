/** Turns an installation into one that was last started by an earlier version. */
import { paymentDomainStream } from '../../../src/domain/platforms/domains.ts';
import { query } from './database.ts';

async function changeLog(databaseUrl: string, ...statements: readonly (readonly [string, unknown[]])[]) {
  await query(databaseUrl, 'alter table daybook_log.events disable trigger all');
  for (const [statement, values] of statements) await query(databaseUrl, statement, values);
  await query(databaseUrl, 'alter table daybook_log.events enable trigger all');
}

/** It does not know what it is. */
export async function forgetFounding(databaseUrl: string): Promise<void> {
  await changeLog(databaseUrl, [`delete from daybook_log.events where type = 'InstallationFounded'`, []]);
  await query(databaseUrl, 'delete from daybook.followed_log');
}

/** Its platforms have one domain, which nobody holds. */
export async function shareDomain(databaseUrl: string, domain: string, ...before: readonly string[]) {
  const holds = [domain, ...before].map((one) => `reservation-${paymentDomainStream(one)}`);
  await forgetFounding(databaseUrl);
  await changeLog(
    databaseUrl,
    ['delete from daybook_log.events where stream = any($1)', [holds]],
    [
      `update daybook_log.events set data = jsonb_set(data::jsonb, '{umaDomain}', to_jsonb($1::text))
       where type = 'PlatformCreated'`,
      [domain],
    ],
  );
}
