/** The only reader of the environment. Everything wrong with it is reported at once. */
import { z } from 'zod';
import type { RateLimitName } from '../api/operation.ts';
import { findCurrency } from '../domain/money/currencies.ts';
import type { OperatorLimits } from '../domain/platforms/outflow-limits.ts';
import { longestRequestSeconds } from '../infrastructure/deadlines/deadline.ts';
import { checkOutside, type OutsideConfig, outsideOf, outsideVariables } from './outside-config.ts';
import { type KeptConfig, keptOf, keptVariables } from './variables/kept.ts';
import {
  address,
  decimalNumber,
  domain,
  eventStoreAddress,
  inOurWords,
  listOf,
  masterKey,
  network,
  type OidcIssuer,
  oidcIssuers,
  publicAddress,
  redisAddress,
  streamPrefix,
  text,
  url,
  wholeNumber,
} from './variables/kinds.ts';
import { checkPasskeys, passkeyOrigin } from './variables/passkeys.ts';
import { problemsOf } from './variables/problems.ts';
import { checkSeed, sandboxSeed } from './variables/seed.ts';
import { unknownVariables } from './variables/unknown.ts';
import { volumeLimits } from './volume-limits.ts';

const roles = ['api', 'projector', 'worker'] as const;
export type Role = (typeof roles)[number];

/** The master key that docker-compose.yml has for whoever sets none. Everybody can read it. */
const composeMasterKey = 'ZGF5Ym9vay1jb21wb3NlLXNhbmRib3gta2V5LTAwMDE=';

const perMinute = (standard: number) => wholeNumber(0, 1_000_000).default(standard);

const isProduction = (env: { readonly DAYBOOK_ENVIRONMENT?: string }) =>
  env.DAYBOOK_ENVIRONMENT === 'production';

/** Also beside variables that are wrong by themselves. */
const always = () => true;

const environment = z
  .object({
    PORT: wholeNumber(0, 65_535).default(8080),
    HOST: text().default('127.0.0.1'),
    DAYBOOK_DATA_DIR: text().default('.daybook'),
    DATABASE_URL: url('postgres', 'postgresql'),
    EVENTSTORE_URL: eventStoreAddress,
    DAYBOOK_STREAM_PREFIX: streamPrefix.default('daybook.'),
    REDIS_URL: redisAddress,
    DAYBOOK_ROLES: z
      .string()
      .default(roles.join(','))
      .transform((text) => text.split(',').map((role) => role.trim()))
      .pipe(z.array(z.enum(roles)).min(1)),
    DAYBOOK_ENVIRONMENT: z.enum(['sandbox', 'production']).default('sandbox'),
    DAYBOOK_SANDBOX_TIME_SCALE: decimalNumber(0, 1000).default(1),
    DAYBOOK_SANDBOX_SEED: sandboxSeed,
    DAYBOOK_QUOTE_LIFETIME_SECONDS: wholeNumber(1, 3600).default(300),
    DAYBOOK_DAILY_VOLUME_LIMITS: volumeLimits,
    DAYBOOK_VELOCITY_LIMIT: wholeNumber(0, 1_000_000).default(0),
    DAYBOOK_RATES_FILE: text().optional(),
    ...outsideVariables,
    DAYBOOK_BOOTSTRAP_CLIENT_ID: z
      .string()
      .regex(/^[^:\s]{1,100}$/, 'must be 1 to 100 characters without colon or space')
      .optional(),
    DAYBOOK_BOOTSTRAP_CLIENT_SECRET: text(16).optional(),
    DAYBOOK_MASTER_KEY: masterKey.optional(),
    DAYBOOK_MASTER_KEY_PREVIOUS: z.string().default('').transform(listOf).pipe(z.array(masterKey)),
    DAYBOOK_PUBLIC_URL: publicAddress,
    DAYBOOK_OIDC_ISSUERS: oidcIssuers.default([]),
    DAYBOOK_OIDC_REQUIRE_NONCE: z.enum(['true', 'false']).default('false'),
    DAYBOOK_WEBAUTHN_ORIGINS: z.string().default('').transform(listOf).pipe(z.array(passkeyOrigin)),
    DAYBOOK_WEBAUTHN_RP_ID: domain.optional(),
    DAYBOOK_WEBAUTHN_USER_VERIFICATION: z.enum(['required', 'preferred']).default('preferred'),
    DAYBOOK_WALLET_CURRENCY: z
      .string()
      .refine((code) => findCurrency(code)?.kind === 'crypto', 'must be a cryptocurrency that Daybook knows')
      .optional(),
    DAYBOOK_WALLET_SESSION_SECONDS: wholeNumber(1, 86_400).default(900),
    DAYBOOK_RATE_LIMIT_CHALLENGE: perMinute(5),
    DAYBOOK_RATE_LIMIT_VERIFY: perMinute(10),
    DAYBOOK_RATE_LIMIT_REDEEM: perMinute(10),
    DAYBOOK_RATE_LIMIT_INVITATIONS: perMinute(60),
    DAYBOOK_RATE_LIMIT_TOKEN: perMinute(0),
    DAYBOOK_TRUSTED_PROXIES: z.string().default('').transform(listOf).pipe(z.array(network)),
    DAYBOOK_RATE_LIMIT_LISTS: perMinute(30_000),
    DAYBOOK_REQUEST_DEADLINE_SECONDS: wholeNumber(1, longestRequestSeconds).default(10),
    DAYBOOK_CHECKPOINT_INTERVAL_SECONDS: wholeNumber(1, 86_400).default(60),
    DAYBOOK_CONNECTIONS_PER_ADDRESS: wholeNumber(0, 1_000_000).default(1_024),
    DAYBOOK_METRICS_ADDRESS: address.optional(),
    DAYBOOK_WEBHOOK_ALLOW_PRIVATE: z.enum(['true', 'false']).optional(),
    DAYBOOK_WEBHOOK_KEY_OVERLAP_HOURS: decimalNumber(0, 720).default(24),
    ...keptVariables,
    LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  })
  .refine(
    (env) =>
      (env.DAYBOOK_BOOTSTRAP_CLIENT_ID === undefined) === (env.DAYBOOK_BOOTSTRAP_CLIENT_SECRET === undefined),
    {
      path: ['DAYBOOK_BOOTSTRAP_CLIENT_SECRET'],
      message: 'set both DAYBOOK_BOOTSTRAP_CLIENT_ID and DAYBOOK_BOOTSTRAP_CLIENT_SECRET, or neither',
      when: always,
    },
  )
  .refine(
    ({ DAYBOOK_ENVIRONMENT: environment, DAYBOOK_OIDC_ISSUERS: issuers }) =>
      environment === 'sandbox' || (issuers ?? []).every(({ jwksUrl }) => jwksUrl.startsWith('https:')),
    {
      path: ['DAYBOOK_OIDC_ISSUERS'],
      message: 'jwksUrl must be an https address outside the sandbox',
    },
  )
  .refine((env) => env.DATABASE_URL === undefined || env.DAYBOOK_MASTER_KEY !== undefined, {
    path: ['DAYBOOK_MASTER_KEY'],
    message:
      'is needed beside DATABASE_URL, the same in every process. Make one with: openssl rand -base64 32',
    when: always,
  })
  .refine((env) => !isProduction(env) || env.DAYBOOK_MASTER_KEY !== composeMasterKey, {
    path: ['DAYBOOK_MASTER_KEY'],
    message:
      'is the one that docker-compose.yml has for everybody: production needs its own. Make one with: openssl rand -base64 32',
    when: always,
  })
  .check(checkOutside, checkSeed, checkPasskeys)
  .refine((env) => !isProduction(env) || env.DAYBOOK_WEBHOOK_ALLOW_PRIVATE !== 'true', {
    path: ['DAYBOOK_WEBHOOK_ALLOW_PRIVATE'],
    message: 'must be false in production: webhooks could reach what is not published',
    when: always,
  });

export type Config = {
  readonly port: number;
  readonly host: string;
  readonly dataDirectory: string;
  readonly databaseUrl: string | undefined;
  readonly eventStoreUrl: string | undefined;
  /** Before the name of every stream in EventStoreDB. */
  readonly streamPrefix: string;
  readonly redisUrl: string | undefined;
  readonly roles: readonly Role[];
  readonly environment: 'sandbox' | 'production';
  readonly sandboxTimeScale: number;
  /** Undefined where identifiers are drawn. */
  readonly sandboxSeed: string | undefined;
  readonly quoteLifetimeMs: number;
  /** What may leave an account of any platform. */
  readonly operatorLimits: OperatorLimits;
  readonly ratesFile: string | undefined;
  /** Who is connected: a rail, a screening, rates; and who may decide. */
  readonly outside: OutsideConfig;
  readonly bootstrap: { readonly clientId: string; readonly clientSecret: string } | undefined;
  /** Seals secrets in the database; the embedded installation makes one where there is none. */
  readonly masterKey: string | undefined;
  /** What sealed before the master key was rotated. */
  readonly previousMasterKeys: readonly string[];
  /** Where clients reach the service; its own address where nothing else is given. */
  readonly publicUrl: string | undefined;
  readonly oidc: { readonly issuers: readonly OidcIssuer[]; readonly requireNonce: boolean };
  readonly passkeys: {
    readonly origins: readonly string[];
    readonly rpId: string | undefined;
    readonly requireUserVerification: boolean;
  };
  /** Of the embedded wallets of a new platform's customers; undefined where they get none. */
  readonly walletCurrency: string | undefined;
  readonly walletSessionMs: number;
  /** Requests per minute; 0 means no limit. */
  readonly rateLimits: Readonly<Record<RateLimitName, number>>;
  /** Wrong ones in a minute: of a network at device codes and the console, of a platform at invitations; 0 means no limit. */
  readonly guesses: { readonly strangers: number; readonly platforms: number };
  /** Whose word is taken for the address that a request comes from. */
  readonly trustedProxies: readonly string[];
  /** The same, for the lists of one caller. */
  readonly listsPerMinute: number;
  /** How long a request may take, however often its stores are asked. */
  readonly requestMaxMs: number;
  /** From one signed checkpoint of the log to the next. */
  readonly checkpointEveryMs: number;
  /** 0 means no bound. */
  readonly connectionsPerAddress: number;
  /** Where `/metrics` is, if not at the address of the interface. */
  readonly metricsAddress: { readonly host: string; readonly port: number } | undefined;
  readonly webhooks: { readonly allowPrivate: boolean; readonly keyOverlapMs: number };
  readonly kept: KeptConfig;
  readonly logLevel: string;
  /** Whoever reads what the process prints has files of their own. */
  readonly inContainer: boolean;
  /** Variables that begin like ours, and are none of ours. */
  readonly ignored: readonly string[];
};

/** Where the log is: all that is needed to read it. */
export type LogAddress = Pick<
  Config,
  'databaseUrl' | 'eventStoreUrl' | 'streamPrefix' | 'dataDirectory' | 'logLevel'
>;

const { DATABASE_URL, EVENTSTORE_URL, DAYBOOK_STREAM_PREFIX, DAYBOOK_DATA_DIR, LOG_LEVEL } =
  environment.shape;
const place = z.object({ DATABASE_URL, EVENTSTORE_URL, DAYBOOK_STREAM_PREFIX, DAYBOOK_DATA_DIR, LOG_LEVEL });

/** For who reads the log and holds no key of the installation. Throws as `readConfig` does. */
export function readLogAddress(
  variables: Readonly<Record<string, string | undefined>> = process.env,
): LogAddress {
  const env = parsed(place, variables).values;
  return {
    databaseUrl: env.DATABASE_URL,
    eventStoreUrl: env.EVENTSTORE_URL,
    streamPrefix: env.DAYBOOK_STREAM_PREFIX,
    dataDirectory: env.DAYBOOK_DATA_DIR,
    logLevel: env.LOG_LEVEL,
  };
}

/** Empty variables count as unset. */
function parsed<Schema extends z.ZodType>(
  schema: Schema,
  variables: Readonly<Record<string, string | undefined>>,
) {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const result = schema.safeParse(set, { error: inOurWords });
  const known = Object.keys(environment.shape);
  const unknown = unknownVariables(set, known);
  const problems = problemsOf({ set, known, unknown, issues: result.error?.issues ?? [] });
  if (problems.length > 0 || !result.success) throw new Error(problems.join('\n'));
  return { values: result.data, set, unknown };
}

/** Throws an error that names every variable that is wrong and what it must be. Empty variables count as unset. */
export function readConfig(variables: Readonly<Record<string, string | undefined>> = process.env): Config {
  const { values: env, set, unknown } = parsed(environment, variables);
  const onDevelopersMachine = env.DATABASE_URL === undefined && env.DAYBOOK_ENVIRONMENT === 'sandbox';
  const allowPrivate = env.DAYBOOK_WEBHOOK_ALLOW_PRIVATE ?? String(onDevelopersMachine);
  const { DAYBOOK_BOOTSTRAP_CLIENT_ID: clientId, DAYBOOK_BOOTSTRAP_CLIENT_SECRET: clientSecret } = env;
  return {
    port: env.PORT,
    host: env.HOST,
    dataDirectory: env.DAYBOOK_DATA_DIR,
    databaseUrl: env.DATABASE_URL,
    eventStoreUrl: env.EVENTSTORE_URL,
    streamPrefix: env.DAYBOOK_STREAM_PREFIX,
    redisUrl: env.REDIS_URL,
    roles: env.DAYBOOK_ROLES,
    environment: env.DAYBOOK_ENVIRONMENT,
    sandboxTimeScale: env.DAYBOOK_SANDBOX_TIME_SCALE,
    sandboxSeed: env.DAYBOOK_SANDBOX_SEED,
    quoteLifetimeMs: env.DAYBOOK_QUOTE_LIFETIME_SECONDS * 1000,
    operatorLimits: {
      dailyVolume: new Map(env.DAYBOOK_DAILY_VOLUME_LIMITS),
      hourlyPayments: env.DAYBOOK_VELOCITY_LIMIT || undefined,
    },
    ratesFile: env.DAYBOOK_RATES_FILE,
    outside: outsideOf(env, set),
    bootstrap: clientId && clientSecret ? { clientId, clientSecret } : undefined,
    masterKey: env.DAYBOOK_MASTER_KEY,
    previousMasterKeys: env.DAYBOOK_MASTER_KEY_PREVIOUS,
    publicUrl: env.DAYBOOK_PUBLIC_URL?.replace(/\/$/, ''),
    oidc: { issuers: env.DAYBOOK_OIDC_ISSUERS, requireNonce: env.DAYBOOK_OIDC_REQUIRE_NONCE === 'true' },
    passkeys: {
      origins: env.DAYBOOK_WEBAUTHN_ORIGINS,
      rpId: env.DAYBOOK_WEBAUTHN_RP_ID,
      requireUserVerification: env.DAYBOOK_WEBAUTHN_USER_VERIFICATION === 'required',
    },
    walletCurrency:
      env.DAYBOOK_WALLET_CURRENCY ?? (env.DAYBOOK_ENVIRONMENT === 'sandbox' ? 'USDB' : undefined),
    walletSessionMs: env.DAYBOOK_WALLET_SESSION_SECONDS * 1000,
    rateLimits: {
      challenge: env.DAYBOOK_RATE_LIMIT_CHALLENGE,
      verify: env.DAYBOOK_RATE_LIMIT_VERIFY,
      token: env.DAYBOOK_RATE_LIMIT_TOKEN,
    },
    guesses: { strangers: env.DAYBOOK_RATE_LIMIT_REDEEM, platforms: env.DAYBOOK_RATE_LIMIT_INVITATIONS },
    trustedProxies: env.DAYBOOK_TRUSTED_PROXIES,
    listsPerMinute: env.DAYBOOK_RATE_LIMIT_LISTS,
    requestMaxMs: env.DAYBOOK_REQUEST_DEADLINE_SECONDS * 1000,
    checkpointEveryMs: env.DAYBOOK_CHECKPOINT_INTERVAL_SECONDS * 1000,
    connectionsPerAddress: env.DAYBOOK_CONNECTIONS_PER_ADDRESS,
    metricsAddress: env.DAYBOOK_METRICS_ADDRESS,
    webhooks: {
      allowPrivate: allowPrivate === 'true',
      keyOverlapMs: env.DAYBOOK_WEBHOOK_KEY_OVERLAP_HOURS * 3_600_000,
    },
    kept: keptOf(env),
    logLevel: env.LOG_LEVEL,
    inContainer: set.container !== undefined,
    ignored: unknown.map(({ name }) => name),
  };
}
