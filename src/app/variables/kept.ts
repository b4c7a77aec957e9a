/** The part of the environment that says how long what is no original is kept. */
import { wholeNumber } from './kinds.ts';

export const keptVariables = {
  DAYBOOK_WEBHOOK_KEEP_DAYS: wholeNumber(8, 3650).default(30),
  DAYBOOK_MAIL_KEEP_HOURS: wholeNumber(1, 8760).default(24),
  DAYBOOK_REQUEST_LOG_DAYS: wholeNumber(0, 90).default(7),
};

/** How long what was sent, and what was asked, is kept. */
export type KeptConfig = {
  readonly webhooksDays: number;
  readonly mailsHours: number;
  /** 0: requests are not kept at all. */
  readonly requestsDays: number;
};

type Read = { readonly [Name in keyof typeof keptVariables]: number };

export const keptOf = (env: Read): KeptConfig => ({
  webhooksDays: env.DAYBOOK_WEBHOOK_KEEP_DAYS,
  mailsHours: env.DAYBOOK_MAIL_KEEP_HOURS,
  requestsDays: env.DAYBOOK_REQUEST_LOG_DAYS,
});
