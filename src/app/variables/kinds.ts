/** What a variable may be. Every refusal says what it must be, in one line; texts are not repeated, since they may be secrets. */
import { isIP } from 'node:net';
import { z } from 'zod';
import { faultOfAddress } from '../../infrastructure/event-store/address.ts';
import { parseMasterKey } from '../../infrastructure/secrets/sealing.ts';

/** In our words, and not the library's. */
export const inOurWords: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'invalid_value') return `must be ${issue.values.join(' or ')}`;
  if (issue.code === 'too_small' && issue.origin === 'array') return 'must name at least one';
  if (issue.code === 'too_small') return `must have at least ${issue.minimum} characters`;
  if (issue.code === 'too_big') return `must have at most ${issue.maximum} characters`;
  if (issue.code === 'invalid_type')
    return issue.input === undefined ? 'is missing' : `must be of type ${issue.expected}`;
  if (issue.code === 'invalid_format') return 'must be an address like https://host.example/path';
  return undefined;
};

/** The variable, and what is meant in one that has several parts: `DAYBOOK_ROLES: entry 2`. */
export function placeIn([variable, ...parts]: readonly PropertyKey[]): string {
  const named = parts.map((part) => (typeof part === 'number' ? `entry ${part + 1}` : String(part)));
  return `${String(variable)}:${named.map((part) => ` ${part}`).join('')}`;
}

/** A text that is taken as it is: a space or a line break around it would be part of a name, a path or a secret. */
export const text = (least = 1) =>
  z
    .string()
    .min(least, `must be at least ${least} characters`)
    .refine(
      (given) => given.trim() === given,
      'has a space or a line break before or after it: leave it out',
    );

/** What is longer may be a secret in the wrong place. */
const longestShown = 12;

const number = (pattern: RegExp, what: string, min: number, max: number) => {
  const isIt = (text: string) => pattern.test(text) && Number(text) >= min && Number(text) <= max;
  return z
    .string()
    .refine(isIt, {
      error: ({ input }) =>
        `must be ${what} from ${min} to ${max}${String(input).length <= longestShown ? `, and is ${input}` : ''}`,
    })
    .transform(Number);
};

/** With `default` as a number. */
const withDefault = (kind: ReturnType<typeof number>) => ({
  default: (standard: number) => kind.optional().transform((given) => given ?? standard),
});

export const wholeNumber = (min: number, max: number) =>
  withDefault(number(/^\d+$/, 'a whole number', min, max));

export const decimalNumber = (min: number, max: number) =>
  withDefault(number(/^\d+(\.\d+)?$/, 'a number', min, max));

/** An address whose user and password the clients can read: they decode both. */
const location = (...protocols: readonly string[]) =>
  z
    .url({
      protocol: new RegExp(`^(${protocols.join('|')})$`),
      error: `must be a URL like ${protocols[0]}://…`,
    })
    .refine(
      whereUrl(({ username, password }) => [username, password].every(isDecodable)),
      'has a % in its user or password that begins no code: write %25 for it',
    );

/** What is no URL is told to be none, and nothing else of it. */
const whereUrl = (test: (url: URL) => boolean) => (text: string) =>
  !URL.canParse(text) || test(new URL(text));

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

export const url = (...protocols: readonly string[]) => location(...protocols).optional();

/** Paths are put behind it, as it is. */
export const publicAddress = location('https', 'http')
  .refine(
    whereUrl(({ href, username, password }) => !/[?#]/.test(href) && `${username}${password}` === ''),
    'must be an address and no more: leave out user and password, and what begins with ? or #',
  )
  .optional();

/** The path is the number of a database, 0 where there is none. */
export const redisAddress = location('redis', 'rediss')
  .refine(
    whereUrl(({ pathname }) => /^(\/\d*)?$/.test(pathname)),
    'must end with the number of a database, like redis://host:6379/1, or without a path',
  )
  .optional();

/** All forms that the client takes, of which several hosts are no URL. */
export const eventStoreAddress = z
  .string()
  .superRefine((text, context) => {
    const fault = faultOfAddress(text);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
  })
  .optional();

/** Without a dot, which ends it in the names of streams: of two prefixes neither begins with the other. */
export const streamPrefix = z
  .string()
  .regex(/^[a-z0-9_]{1,40}$/, 'must be 1 to 40 small letters, digits and underscores')
  .transform((text) => `${text}.`);

export const masterKey = z
  .string()
  .refine(
    (text) => parseMasterKey(text) !== undefined,
    'must be 32 bytes in base64: openssl rand -base64 32',
  );

export const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);

const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';

/** As browsers hash it: one in other letters, or an address, is the relying party of no passkey. */
export const domain = z
  .string()
  .regex(
    new RegExp(`^(?=.{1,253}$)(${label}\\.)*${label}$`),
    'must be a domain in small letters, like wallet.example',
  );

const issuersForm = 'must be JSON: [{"issuer": …, "audience": …, "jwksUrl": …}]';

/** Who signs the tokens of OAUTH credentials. */
const oidcIssuer = z.object({
  issuer: z.url(),
  audience: z.union(
    [
      z
        .string()
        .min(1)
        .transform((one) => [one]),
      z.array(z.string().min(1)).min(1),
    ],
    { error: ({ input }) => (input === undefined ? 'is missing' : 'must be a text or a list of texts') },
  ),
  jwksUrl: z.url({ protocol: /^https?$/ }),
});
export type OidcIssuer = z.output<typeof oidcIssuer>;

export const oidcIssuers = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue(issuersForm);
      return z.NEVER;
    }
  })
  .pipe(
    z
      .array(oidcIssuer, { error: issuersForm })
      .refine(
        (issuers) => new Set(issuers.map(({ issuer }) => issuer)).size === issuers.length,
        'names an issuer twice: give all of its audiences in one list',
      ),
  );

const isNetwork = (text: string): boolean => {
  const [address = '', bits, ...rest] = text.split('/');
  const longest = isIP(address) === 6 ? 128 : 32;
  const isPrefix =
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= longest);
  return isIP(address) !== 0 && isPrefix && rest.length === 0;
};

export const network = z
  .string()
  .refine(isNetwork, 'must be addresses or networks like 10.0.0.0/8, and not of every address');

export const address = z
  .string()
  .regex(/^(\[[\da-fA-F:.]+\]|[^\s:[\]]+):\d{1,5}$/, 'must be HOST:PORT, like 127.0.0.1:9464')
  .transform((text) => {
    const colon = text.lastIndexOf(':');
    return { host: text.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(text.slice(colon + 1)) };
  })
  .refine(({ port }) => port <= 65_535, 'must have a port of 0 to 65535');
