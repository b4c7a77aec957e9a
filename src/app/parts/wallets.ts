/** Puts the parts of wallet authentication together. */
import type { DomainEvent } from '../../domain/aggregates.ts';
import type { PlatformTimes } from '../../infrastructure/clock/platform-times.ts';
import type { Every } from '../../infrastructure/jobs/periodic.ts';
import type { WorkSession } from '../../infrastructure/jobs/work-session.ts';
import type { Log } from '../../infrastructure/observe/log.ts';
import type { Pool } from '../../infrastructure/postgres/pool.ts';
import type { Sealer } from '../../infrastructure/secrets/sealing.ts';
import type { Commands } from '../../use-cases/commands.ts';
import { createOneTimeCodes, type OneTimeCodes } from '../../use-cases/wallets/codes/one-time-codes.ts';
import { createRecoveryPhrases, type RecoveryPhrases } from '../../use-cases/wallets/phrases.ts';
import { type Emails, openEmails } from '../../workers/mail/outbox.ts';
import type { Mailer } from '../../workers/mail/smtp.ts';

const forgetCodesEveryMs = 60_000;

type Deps = {
  readonly pool: Pool;
  readonly sealer: Sealer;
  readonly commands: Commands;
  readonly session: WorkSession;
  readonly every: Every;
  readonly mailer: Mailer | undefined;
  readonly log: Log;
  readonly times: Pick<PlatformTimes, 'nowOf'>;
  readonly installationNow: () => Date;
  readonly now: () => Date;
};

export type Wallets = {
  readonly codes: OneTimeCodes;
  readonly emails: Emails;
  readonly phrases: RecoveryPhrases;
  /** What follows from an event outside the log. Safe to repeat. */
  readonly react: (event: DomainEvent) => Promise<void> | undefined;
  /** Sends mails from now on. Returns what ends it. */
  readonly work: () => () => Promise<void>;
  readonly close: () => Promise<void>;
};

export function openWallets(deps: Deps): Wallets {
  const { pool, sealer, commands, every, times, installationNow, now } = deps;
  const codes = createOneTimeCodes({ pool, sealer, now: installationNow });
  const emails = openEmails({ ...deps, now: installationNow, nowOf: times.nowOf });
  const phrases = createRecoveryPhrases({ pool, sealer, commands, now });
  return {
    codes,
    emails,
    phrases,
    react({ type, data }) {
      if (type === 'OneTimeCodeIssued') return emails.release(data.codeId);
      const isWallet = type === 'AccountOpened' && data.accountType === 'EMBEDDED_WALLET';
      return isWallet ? phrases.create(data) : undefined;
    },
    work() {
      const stops = [emails.work(), every('one-time codes', forgetCodesEveryMs, codes.forgetExpired)];
      return async () => {
        for (const stop of stops) await stop();
      };
    },
    close: emails.close,
  };
}
