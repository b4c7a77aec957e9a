/** The part of the environment that says who is connected outside, and who may decide for the operator. */
import { z } from 'zod';
import { secretPrefix } from '../infrastructure/secrets/signed-message.ts';
import type { SmtpSettings } from '../workers/mail/smtp.ts';
import { text, url, wholeNumber } from './variables/kinds.ts';

const secretBytesMin = 24;

const isLocal = ({ hostname }: URL): boolean => ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);

const isService = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLocal(url));
  return isSafe && url.username === '' && url.password === '';
};

const isPath = (text: string): boolean => /^(\.{1,2})?\//.test(text);

/** Rails that Daybook brings along, by name. */
export const ownRails = ['iso20022'] as const;

const isOwnRail = (text: string): boolean => ownRails.some((name) => name === text);

const placeLike = (example: string) =>
  `the path of a module, like ${example}, or an https address without a password (http for this machine only)`;

/** A space around it is told by `text`, and nothing else of it. */
const trimmed = (isIt: (given: string) => boolean) => (given: string) => isIt(given.trim());

const placeOrNone = (example: string) =>
  text()
    .refine(
      trimmed((given) => isPath(given) || isService(given)),
      `must be ${placeLike(example)}`,
    )
    .optional();

const railPlace = text()
  .refine(
    trimmed((given) => isOwnRail(given) || isPath(given) || isService(given)),
    `must be ${ownRails.join(', ')}, ${placeLike('./my-rail.ts')}`,
  )
  .optional();

const secret = text()
  .refine(
    trimmed(
      (given) =>
        given.startsWith(secretPrefix) &&
        Buffer.from(given.slice(secretPrefix.length), 'base64').length >= secretBytesMin,
    ),
    `must be ${secretPrefix} and at least ${secretBytesMin} bytes in base64. Make one with: echo ${secretPrefix}$(openssl rand -base64 32)`,
  )
  .optional();

const seconds = (standard: number, max: number) => wholeNumber(1, max).default(standard);

const dayInSeconds = 86_400;

export const outsideVariables = {
  DAYBOOK_RAIL: railPlace,
  DAYBOOK_RAIL_SECRET: secret,
  DAYBOOK_SCREENING: placeOrNone('./my-screening.ts'),
  DAYBOOK_SCREENING_SECRET: secret,
  DAYBOOK_RATES: placeOrNone('./my-rates.ts'),
  DAYBOOK_RATES_REFRESH_SECONDS: seconds(60, dayInSeconds),
  DAYBOOK_RATES_AGE_MAX_SECONDS: seconds(3_600, 30 * dayInSeconds),
  DAYBOOK_RATES_JUMP_MAX_PERCENT: wholeNumber(1, 10_000).default(20),
  DAYBOOK_ADMIN_TOKEN: text(32).optional(),
  SMTP_URL: url('smtp', 'smtps'),
};

const shape = z.object(outsideVariables);
type Variables = z.output<typeof shape> & { readonly DAYBOOK_ENVIRONMENT?: string };

/** What does not go together, each under the variable that has to change. */
export const checkOutside = z.superRefine<Variables & { readonly DAYBOOK_RATES_FILE?: string | undefined }>(
  (env, context) => {
    const refuse = (name: string, message: string) =>
      context.addIssue({ code: 'custom', path: [name], message });
    for (const [name, secretName] of [
      ['DAYBOOK_RAIL', 'DAYBOOK_RAIL_SECRET'],
      ['DAYBOOK_SCREENING', 'DAYBOOK_SCREENING_SECRET'],
    ] as const) {
      const at = env[name];
      if (at !== undefined && env.DAYBOOK_ENVIRONMENT !== 'production')
        refuse(name, 'is for production: the sandbox has its own. Set DAYBOOK_ENVIRONMENT=production');
      if (at !== undefined && isService(at) && env[secretName] === undefined)
        refuse(secretName, `is needed where ${name} is an address: both ends sign with it`);
    }
    if (
      env.DAYBOOK_RATES !== undefined &&
      env.DAYBOOK_RATES_REFRESH_SECONDS >= env.DAYBOOK_RATES_AGE_MAX_SECONDS
    )
      refuse(
        'DAYBOOK_RATES_REFRESH_SECONDS',
        'must be less than DAYBOOK_RATES_AGE_MAX_SECONDS: rates would be too old before they are read again',
      );
    if (env.DAYBOOK_RATES !== undefined && env.DAYBOOK_RATES_FILE !== undefined)
      refuse('DAYBOOK_RATES', 'set either DAYBOOK_RATES or DAYBOOK_RATES_FILE, not both');
  },
);

export type Elsewhere =
  | { readonly kind: 'module'; readonly path: string }
  | { readonly kind: 'service'; readonly url: string; readonly secret: string | undefined };

export type Place = { readonly kind: 'own'; readonly name: (typeof ownRails)[number] } | Elsewhere;

export type OutsideConfig = {
  readonly rail: Place | undefined;
  /** What the rail's module reads: by the names of its variables without DAYBOOK_RAIL_. */
  readonly railSettings: Readonly<Record<string, string>>;
  readonly screening: Elsewhere | undefined;
  readonly screeningSettings: Readonly<Record<string, string>>;
  readonly rates: Elsewhere | undefined;
  readonly ratesRefreshMs: number;
  readonly ratesAgeMaxMs: number;
  readonly ratesJumpMaxPercent: number;
  /** Who has it decides for the operator. Nobody does so over HTTP where there is none. */
  readonly adminToken: string | undefined;
  readonly smtp: SmtpSettings | undefined;
};

/** `variables` are all that are set. */
export const outsideOf = (
  env: Variables,
  variables: Readonly<Record<string, string | undefined>>,
): OutsideConfig => ({
  rail: railOf(env.DAYBOOK_RAIL, env.DAYBOOK_RAIL_SECRET),
  railSettings: settingsOf(variables, 'DAYBOOK_RAIL_'),
  screening: placeOf(env.DAYBOOK_SCREENING, env.DAYBOOK_SCREENING_SECRET),
  screeningSettings: settingsOf(variables, 'DAYBOOK_SCREENING_'),
  rates: placeOf(env.DAYBOOK_RATES, undefined),
  ratesRefreshMs: env.DAYBOOK_RATES_REFRESH_SECONDS * 1000,
  ratesAgeMaxMs: env.DAYBOOK_RATES_AGE_MAX_SECONDS * 1000,
  ratesJumpMaxPercent: env.DAYBOOK_RATES_JUMP_MAX_PERCENT,
  adminToken: env.DAYBOOK_ADMIN_TOKEN,
  smtp: env.SMTP_URL === undefined ? undefined : smtpOf(env.SMTP_URL, env.DAYBOOK_ENVIRONMENT),
});

function railOf(text: string | undefined, secret: string | undefined): Place | undefined {
  const name = ownRails.find((one) => one === text);
  return name ? { kind: 'own', name } : placeOf(text, secret);
}

function placeOf(text: string | undefined, secret: string | undefined): Elsewhere | undefined {
  if (text === undefined) return undefined;
  return isPath(text) ? { kind: 'module', path: text } : { kind: 'service', url: text, secret };
}

const settingsOf = (variables: Readonly<Record<string, string | undefined>>, prefix: string) =>
  Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) =>
      name.startsWith(prefix) && value !== undefined ? [[name.slice(prefix.length), value]] : [],
    ),
  );

/** In production the mail server is asked for encryption, unless it is of this machine. */
const smtpOf = (url: string, environment: string | undefined): SmtpSettings => ({
  url,
  encryptedOnly: environment === 'production' && !isLocal(new URL(url)),
});
