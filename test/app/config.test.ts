import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/app/config.ts';

const DATABASE_URL = 'postgres://localhost/daybook';
const DAYBOOK_MASTER_KEY = Buffer.alloc(32, 1).toString('base64');

describe('the master key', () => {
  it('is made by an embedded installation', () => {
    expect(readConfig({}).masterKey).toBeUndefined();
  });

  it('is demanded beside a database, with how to make one', () => {
    expect(() => readConfig({ DATABASE_URL })).toThrow(/DAYBOOK_MASTER_KEY: .*openssl rand -base64 32/);
    expect(readConfig({ DATABASE_URL, DAYBOOK_MASTER_KEY }).masterKey).toBe(DAYBOOK_MASTER_KEY);
  });

  it('is named beside what else is wrong', () => {
    const wrong = () => readConfig({ DATABASE_URL, LOG_LEVEL: 'loud', DAYBOOK_BOOTSTRAP_CLIENT_ID: 'half' });
    for (const name of [/LOG_LEVEL/, /DAYBOOK_MASTER_KEY/, /DAYBOOK_BOOTSTRAP_CLIENT_SECRET/])
      expect(wrong).toThrow(name);
  });

  it('is not repeated when it is wrong', () => {
    const wrong = () => readConfig({ DAYBOOK_MASTER_KEY: 'hush-hush' });
    expect(wrong).toThrow(/DAYBOOK_MASTER_KEY: must be 32 bytes in base64/);
    expect(wrong).not.toThrow(/hush/);
  });
});

describe('a variable with more around it than is meant', () => {
  const quotedKey = `"${DAYBOOK_MASTER_KEY}"`;
  it.each([
    ['DAYBOOK_DATA_DIR', '"/var/lib/daybook"', 'has quotes around it'],
    ['DAYBOOK_BOOTSTRAP_CLIENT_SECRET', "'sixteen-characters-or-more'", 'has quotes around it'],
    ['DAYBOOK_MASTER_KEY', quotedKey, 'has quotes around it'],
    ['PORT', '"8080"', 'has quotes around it'],
    ['DAYBOOK_DATA_DIR', '/var/lib/daybook ', 'has a space or a line break before or after it'],
    ['DAYBOOK_DATA_DIR', '\ufeff/var/lib/daybook', 'has a space or a line break before or after it'],
    ['HOST', ' 127.0.0.1', 'has a space or a line break before or after it'],
    ['DAYBOOK_ADMIN_TOKEN', `${'x'.repeat(40)}\n`, 'has a space or a line break before or after it'],
    ['DAYBOOK_RAIL', './my-rail.ts ', 'has a space or a line break before or after it'],
    ['DAYBOOK_RAIL', ' ./my-rail.ts', 'has a space or a line break before or after it'],
    ['DAYBOOK_RAIL', 'iso20022\n', 'has a space or a line break before or after it'],
    [
      'DAYBOOK_RAIL_SECRET',
      `whsec_${DAYBOOK_MASTER_KEY}\n`,
      'has a space or a line break before or after it',
    ],
    ['DAYBOOK_SCREENING', './my-screening.ts\n', 'has a space or a line break before or after it'],
    ['DAYBOOK_RATES', './my-rates.ts ', 'has a space or a line break before or after it'],
  ])('%s=%s is refused, once, and not repeated', (name, value, why) => {
    const DAYBOOK_BOOTSTRAP_CLIENT_ID = name === 'DAYBOOK_BOOTSTRAP_CLIENT_SECRET' ? 'some' : '';
    const DAYBOOK_ENVIRONMENT = /RAIL|SCREENING/.test(name) ? 'production' : '';
    const DAYBOOK_RAIL = name === 'DAYBOOK_RAIL_SECRET' ? './my-rail.ts' : '';
    const wrong = () =>
      readConfig({ DAYBOOK_BOOTSTRAP_CLIENT_ID, DAYBOOK_ENVIRONMENT, DAYBOOK_RAIL, [name]: value });
    expect(wrong).toThrow(new RegExp(`^${name}: ${why}[^\\n]*$`));
    if (name !== 'PORT') expect(wrong).not.toThrow(value);
  });

  it('is taken where it does not matter', () => {
    const config = readConfig({
      DATABASE_URL: `${DATABASE_URL}\n`,
      DAYBOOK_MASTER_KEY,
      DAYBOOK_DATA_DIR: 'a b',
    });
    expect(config.dataDirectory).toBe('a b');
  });
});

describe('webhooks to private addresses', () => {
  it.each([
    [{}, true],
    [{ DAYBOOK_ENVIRONMENT: 'production' }, false],
    [{ DATABASE_URL, DAYBOOK_MASTER_KEY }, false],
    [{ DATABASE_URL, DAYBOOK_MASTER_KEY, DAYBOOK_WEBHOOK_ALLOW_PRIVATE: 'true' }, true],
    [{ DAYBOOK_WEBHOOK_ALLOW_PRIVATE: 'false' }, false],
    [{ DAYBOOK_ENVIRONMENT: 'production', DAYBOOK_WEBHOOK_ALLOW_PRIVATE: 'false' }, false],
  ])('with %j are allowed: %s', (variables, allowed) => {
    expect(readConfig(variables).webhooks.allowPrivate).toBe(allowed);
  });
});

describe('production', () => {
  const DAYBOOK_ENVIRONMENT = 'production';
  const composeFile = readFileSync(join(import.meta.dirname, '../../docker-compose.yml'), 'utf8');
  const [, composeKey = ''] = /DAYBOOK_MASTER_KEY:-([^}]+)\}/.exec(composeFile) ?? [];

  it('refuses the master key of docker-compose.yml by name, and does not repeat it', () => {
    const start = () => readConfig({ DAYBOOK_ENVIRONMENT, DATABASE_URL, DAYBOOK_MASTER_KEY: composeKey });
    expect(start).toThrow(/^DAYBOOK_MASTER_KEY: is the one that docker-compose\.yml has[^\n]*$/);
    expect(start).not.toThrow(composeKey);
    expect(readConfig({ DATABASE_URL, DAYBOOK_MASTER_KEY: composeKey }).masterKey).toBe(composeKey);
  });

  it('opens with that key what it sealed before, until the keys are rotated', () => {
    const rotating = { DAYBOOK_MASTER_KEY, DAYBOOK_MASTER_KEY_PREVIOUS: composeKey };
    expect(readConfig({ DAYBOOK_ENVIRONMENT, DATABASE_URL, ...rotating }).previousMasterKeys).toEqual([
      composeKey,
    ]);
  });

  it('refuses webhooks to private addresses by name', () => {
    const start = () => readConfig({ DAYBOOK_ENVIRONMENT, DAYBOOK_WEBHOOK_ALLOW_PRIVATE: 'true' });
    expect(start).toThrow(/^DAYBOOK_WEBHOOK_ALLOW_PRIVATE: must be false in production[^\n]*$/);
  });

  it('names both beside what else is wrong', () => {
    const wrong = {
      DAYBOOK_MASTER_KEY: composeKey,
      DAYBOOK_WEBHOOK_ALLOW_PRIVATE: 'true',
      LOG_LEVEL: 'loud',
    };
    for (const name of Object.keys(wrong))
      expect(() => readConfig({ DAYBOOK_ENVIRONMENT, ...wrong })).toThrow(name);
  });
});

describe('proxies whose word is taken', () => {
  it.each(['10.0.0.1', '10.0.0.0/8, ::1', 'fd00::/8'])('are addresses and networks: %j', (text) => {
    const { trustedProxies } = readConfig({ DAYBOOK_TRUSTED_PROXIES: text });
    expect(trustedProxies).toEqual(text.split(', '));
  });

  it.each(['true', '1', '10.0.0.0/33', '10.0.0.0/8/8', 'fd00::/x', 'proxy.example'])('are not %j', (text) => {
    expect(() => readConfig({ DAYBOOK_TRUSTED_PROXIES: text })).toThrow(/DAYBOOK_TRUSTED_PROXIES/);
  });

  it('are none unless it says so', () => expect(readConfig({}).trustedProxies).toEqual([]));
});

describe('the connections of one address', () => {
  it('are bounded unless they are set free', () => {
    expect(readConfig({}).connectionsPerAddress).toBe(1_024);
    expect(readConfig({ DAYBOOK_CONNECTIONS_PER_ADDRESS: '0' }).connectionsPerAddress).toBe(0);
  });
});

describe('an address for metrics', () => {
  it.each([
    ['127.0.0.1:9464', { host: '127.0.0.1', port: 9464 }],
    ['[::1]:9464', { host: '::1', port: 9464 }],
    ['localhost:0', { host: 'localhost', port: 0 }],
  ])('is read: %s', (text, expected) => {
    expect(readConfig({ DAYBOOK_METRICS_ADDRESS: text }).metricsAddress).toEqual(expected);
  });

  it.each(['9464', ':9464', 'localhost', 'localhost:x', 'localhost:70000', '::1:9464'])(
    'is not %s',
    (text) => {
      expect(() => readConfig({ DAYBOOK_METRICS_ADDRESS: text })).toThrow(/DAYBOOK_METRICS_ADDRESS: must/);
    },
  );
});

describe("the operator's limits on what leaves an account", () => {
  it('are none unless they are set', () => {
    const none = { dailyVolume: new Map(), hourlyPayments: undefined };
    expect(readConfig({}).operatorLimits).toEqual(none);
    expect(readConfig({ DAYBOOK_VELOCITY_LIMIT: '0' }).operatorLimits).toEqual(none);
  });

  it('are volumes by currency, and a number of payments', () => {
    const set = { DAYBOOK_DAILY_VOLUME_LIMITS: 'USD=10000000, BTC=0', DAYBOOK_VELOCITY_LIMIT: '7' };
    const dailyVolume = new Map([
      ['USD', 10_000_000n],
      ['BTC', 0n],
    ]);
    expect(readConfig(set).operatorLimits).toEqual({ dailyVolume, hourlyPayments: 7 });
  });

  it.each(['USD', 'USD=', 'USD=-1', 'USD=1.5', 'usd=1', 'XXX=1', 'USD=1;EUR=2', 'USD=1,USD=2'])(
    'are not %j',
    (text) => {
      expect(() => readConfig({ DAYBOOK_DAILY_VOLUME_LIMITS: text })).toThrow(/DAYBOOK_DAILY_VOLUME_LIMITS/);
    },
  );
});

describe('what is connected outside', () => {
  const DAYBOOK_ENVIRONMENT = 'production';
  const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

  it('is a module by its path, with the settings that begin like it', () => {
    const { outside } = readConfig({
      DAYBOOK_ENVIRONMENT,
      DAYBOOK_RAIL: './rail.ts',
      DAYBOOK_RAIL_FOLDER: '/in',
    });
    expect(outside.rail).toEqual({ kind: 'module', path: './rail.ts' });
    expect(outside.railSettings).toEqual({ FOLDER: '/in' });
  });

  it('names a rail that Daybook brings along', () => {
    const { outside } = readConfig({ DAYBOOK_ENVIRONMENT: 'production', DAYBOOK_RAIL: 'iso20022' });
    expect(outside.rail).toEqual({ kind: 'own', name: 'iso20022' });
  });

  it('is a service by its address, with the secret that both sign with', () => {
    const url = 'https://rail.example/daybook';
    const { outside } = readConfig({ DAYBOOK_ENVIRONMENT, DAYBOOK_RAIL: url, DAYBOOK_RAIL_SECRET: secret });
    expect(outside.rail).toEqual({ kind: 'service', url, secret });
  });

  it.each([
    ['DAYBOOK_RAIL', 'my-rail', /DAYBOOK_RAIL: must be iso20022, the path of a module/],
    ['DAYBOOK_RAIL', 'http://rail.example/', /DAYBOOK_RAIL: must be iso20022, the path of a module/],
    [
      'DAYBOOK_RAIL',
      'https://user:pass@rail.example/',
      /DAYBOOK_RAIL: must be iso20022, the path of a module/,
    ],
    [
      'DAYBOOK_RAIL',
      'https://rail.example/',
      /DAYBOOK_RAIL_SECRET: is needed where DAYBOOK_RAIL is an address/,
    ],
    ['DAYBOOK_RAIL_SECRET', 'whsec_short', /DAYBOOK_RAIL_SECRET: must be whsec_/],
    ['DAYBOOK_SCREENING', 'https://kyc.example/', /DAYBOOK_SCREENING_SECRET: is needed/],
    ['DAYBOOK_ADMIN_TOKEN', 'short', /DAYBOOK_ADMIN_TOKEN: must be at least 32 characters/],
    ['DAYBOOK_RATES_AGE_MAX_SECONDS', '0', /DAYBOOK_RATES_AGE_MAX_SECONDS/],
    ['DAYBOOK_RATES_JUMP_MAX_PERCENT', '0', /DAYBOOK_RATES_JUMP_MAX_PERCENT/],
  ])('is not %s=%s', (name, value, error) => {
    const start = () => readConfig({ DAYBOOK_ENVIRONMENT, [name]: value });
    expect(start).toThrow(error);
    expect(start).not.toThrow(/pass@|whsec_short/);
  });

  it.each(['DAYBOOK_RAIL', 'DAYBOOK_SCREENING'])(
    'is not %s in a sandbox, whose money is worth nothing',
    (name) => {
      expect(() => readConfig({ [name]: './mine.ts' })).toThrow(new RegExp(`${name}: is for production`));
    },
  );

  it.each([
    ['DAYBOOK_RAIL_SECRET', secret, 'DAYBOOK_RAIL'],
    ['DAYBOOK_RAIL_SETTINGS', 'bank.json', 'DAYBOOK_RAIL'],
    ['DAYBOOK_RAIL_FOLDER', '/in', 'DAYBOOK_RAIL'],
    ['DAYBOOK_SCREENING_SECRET', secret, 'DAYBOOK_SCREENING'],
    ['DAYBOOK_SCREENING_LISTS', '/lists', 'DAYBOOK_SCREENING'],
  ])('is named where something is set for it: %s', (name, value, place) => {
    expect(linesFor({ DAYBOOK_ENVIRONMENT, [name]: value })).toEqual([
      `${name}: is for what ${place} names, and that is not set: set it, or unset this one`,
    ]);
    expect(linesFor({ DAYBOOK_ENVIRONMENT, [place]: './mine.ts', [name]: value })).toEqual([]);
  });

  it('are mails over encrypted connections in production, but to this machine', () => {
    const encrypted = (environment: string, SMTP_URL: string) =>
      readConfig({ DAYBOOK_ENVIRONMENT: environment, SMTP_URL }).outside.smtp?.encryptedOnly;
    expect(encrypted('production', 'smtp://mail.example.com:587')).toBe(true);
    expect(encrypted('production', 'smtp://127.0.0.1:25')).toBe(false);
    expect(encrypted('sandbox', 'smtp://mail.example.com:587')).toBe(false);
  });

  it('are rates from one place', () => {
    const both = { DAYBOOK_RATES: './rates.ts', DAYBOOK_RATES_FILE: 'rates.json' };
    expect(() => readConfig(both)).toThrow(/DAYBOOK_RATES: set either/);
    const stale = { DAYBOOK_RATES: './rates.ts', DAYBOOK_RATES_REFRESH_SECONDS: '3600' };
    expect(() => readConfig(stale)).toThrow(
      /DAYBOOK_RATES_REFRESH_SECONDS: must be less than DAYBOOK_RATES_AGE_MAX/,
    );
  });
});

it('trusted proxies are not everybody', () => {
  for (const DAYBOOK_TRUSTED_PROXIES of ['0.0.0.0/0', '::/0', '10.0.0.1/0'])
    expect(() => readConfig({ DAYBOOK_TRUSTED_PROXIES })).toThrow(
      /DAYBOOK_TRUSTED_PROXIES: .*not of every address/,
    );
});

describe('origins of passkeys', () => {
  const app = `android:apk-key-hash:${'a'.repeat(43)}`;

  it('are pages, and apps where the relying party is named', () => {
    const DAYBOOK_WEBAUTHN_ORIGINS = `https://wallet.example,${app}`;
    const named = { DAYBOOK_WEBAUTHN_ORIGINS, DAYBOOK_WEBAUTHN_RP_ID: 'wallet.example' };
    expect(readConfig(named).passkeys.origins).toEqual(['https://wallet.example', app]);
    expect(() => readConfig({ DAYBOOK_WEBAUTHN_ORIGINS })).toThrow(
      /DAYBOOK_WEBAUTHN_RP_ID: is needed beside/,
    );
    expect(() => readConfig({ DAYBOOK_WEBAUTHN_ORIGINS: app.slice(0, -1) })).toThrow(/must be origins like/);
  });
});

describe('a seed', () => {
  it('is for the sandbox', () => {
    expect(readConfig({ DAYBOOK_SANDBOX_SEED: 'any text' }).sandboxSeed).toBe('any text');
    expect(readConfig({}).sandboxSeed).toBeUndefined();
    const production = { DAYBOOK_ENVIRONMENT: 'production', DAYBOOK_SANDBOX_SEED: 'any text' };
    expect(() => readConfig(production)).toThrow(/DAYBOOK_SANDBOX_SEED: must be unset in production/);
  });
});

describe('a variable that is wrong', () => {
  it.each([
    [{ PORT: 'web' }, 'PORT: must be a whole number from 0 to 65535, and is web'],
    [{ PORT: '99999' }, 'PORT: must be a whole number from 0 to 65535, and is 99999'],
    [{ PORT: '8_080' }, 'PORT: must be a whole number from 0 to 65535, and is 8_080'],
    [{ PORT: '1e3' }, 'PORT: must be a whole number from 0 to 65535, and is 1e3'],
    [
      { DAYBOOK_SANDBOX_TIME_SCALE: '-1' },
      'DAYBOOK_SANDBOX_TIME_SCALE: must be a number from 0 to 1000, and is -1',
    ],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL: must be trace or debug or info or warn or error or fatal or silent'],
    [{ DAYBOOK_ENVIRONMENT: 'prod' }, 'DAYBOOK_ENVIRONMENT: must be sandbox or production'],
    [{ DATABASE_URL: 'mysql://there', DAYBOOK_MASTER_KEY }, 'DATABASE_URL: must be a URL like postgres://…'],
    [{ DAYBOOK_ROLES: 'api,web' }, 'DAYBOOK_ROLES: entry 2 must be api or projector or worker'],
    [
      { DAYBOOK_RATES: 'rates' },
      'DAYBOOK_RATES: must be the path of a module, like ./my-rates.ts, or an https address without a password (http for this machine only)',
    ],
    [
      {
        DAYBOOK_OIDC_ISSUERS: JSON.stringify(
          ['web', 'ios'].map((audience) => ({
            issuer: 'https://id.example',
            audience,
            jwksUrl: 'https://id.example/keys',
          })),
        ),
      },
      'DAYBOOK_OIDC_ISSUERS: names an issuer twice: give all of its audiences in one list',
    ],
    [{ DAYBOOK_OIDC_ISSUERS: '[{}]' }, 'DAYBOOK_OIDC_ISSUERS: entry 1 issuer is missing'],
    [
      { DAYBOOK_OIDC_ISSUERS: '{}' },
      'DAYBOOK_OIDC_ISSUERS: must be JSON: [{"issuer": …, "audience": …, "jwksUrl": …}]',
    ],
    [
      { DAYBOOK_OIDC_ISSUERS: '[{"issuer":"https://id.example","audience":7}]' },
      'DAYBOOK_OIDC_ISSUERS: entry 1 audience must be a text or a list of texts',
    ],
    ...['https://wallet.example', 'wallet.example:8080', 'Wallet.example', 'wallet.example/'].map(
      (text): [Record<string, string>, string] => [
        { DAYBOOK_WEBAUTHN_RP_ID: text },
        'DAYBOOK_WEBAUTHN_RP_ID: must be a domain in small letters, like wallet.example',
      ],
    ),
  ])('is told in one line: %j', (variables, line) => {
    expect(linesFor(variables)[0]).toBe(line);
  });

  it('is not repeated where it may be a secret', () => {
    expect(linesFor({ PORT: 'not-a-number-but-a-secret' })).toEqual([
      'PORT: must be a whole number from 0 to 65535',
    ]);
  });

  it('is told beside all others', () => {
    expect(linesFor({ PORT: 'x', LOG_LEVEL: 'x', DAYBOOK_ENVIROMENT: 'x' })).toHaveLength(3);
  });
});

describe('a variable that is none', () => {
  it.each([
    ['DAYBOOK_ENVIROMENT', 'DAYBOOK_ENVIRONMENT'],
    ['DAYBOOK_ENV', 'DAYBOOK_ENVIRONMENT'],
    ['DAYBOOK_DATADIR', 'DAYBOOK_DATA_DIR'],
    ['DAYBOOK_MASTERKEY', 'DAYBOOK_MASTER_KEY'],
    ['DAYBOOK_RATE_LIMIT_CHALENGE', 'DAYBOOK_RATE_LIMIT_CHALLENGE'],
    ['DAYBOOK_DATABASE_URL', 'DATABASE_URL'],
    ['DAYBOOK_LOG_LEVEL', 'LOG_LEVEL'],
    ['DAYBOOK_ROLE', 'DAYBOOK_ROLES'],
    ['DAYBOOK_PORT', 'PORT'],
    ['DAYBOOK_HOST', 'HOST'],
  ])('is refused where it is misspelt, with the one that is meant: %s', (name, meant) => {
    expect(linesFor({ [name]: 'x' })).toEqual([
      `${name}: there is no such variable; ${meant} is meant, or unset it`,
    ]);
  });

  it.each(['DAYBOOK_URL', 'DAYBOOK_COLOUR'])('is passed over where none is like it: %s', (name) => {
    expect(readConfig({ [name]: 'x' }).ignored).toEqual([name]);
  });

  it.each([
    ['DAYBOOK_PORT', 'tcp://10.0.0.1:8080'],
    ['DAYBOOK_SERVICE_HOST', '10.0.0.1'],
    ['DAYBOOK_SERVICE_PORT_HTTP', '8080'],
    ['DAYBOOK_PORT_8080_TCP_ADDR', '10.0.0.1'],
    ['DAYBOOK_RAIL_SERVICE_HOST', '10.0.0.1'],
    ['DAYBOOK_RAIL_PORT', 'tcp://10.0.0.1:8080'],
    ['NODE_ENV', 'x'],
  ])("is nobody's slip where Kubernetes or a module has it: %s", (name, value) => {
    expect(readConfig({ [name]: value }).ignored).toEqual([]);
  });
});

function linesFor(variables: Record<string, string>): string[] {
  try {
    readConfig(variables);
  } catch (error) {
    return error instanceof Error ? error.message.split('\n') : [];
  }
  return [];
}

describe('the address of a server', () => {
  const percent = /^\w+: has a % in its user or password that begins no code: write %25 for it$/;
  it.each([
    ['REDIS_URL', 'redis://:100%sure@127.0.0.1:6379', percent],
    ['REDIS_URL', 'redis://100%:sure@127.0.0.1:6379/1', percent],
    ['DATABASE_URL', 'postgres://daybook:100%sure@127.0.0.1/daybook', percent],
    ['SMTP_URL', 'smtp://mail:100%sure@127.0.0.1', percent],
    [
      'REDIS_URL',
      'redis://h:6379/daybook',
      /^REDIS_URL: must end with the number of a database, like [^\n]*$/,
    ],
    ['REDIS_URL', 'redis://h:6379/1/2', /^REDIS_URL: must end with the number of a database, like [^\n]*$/],
  ])('%s=%s is refused, and not repeated', (name, value, why) => {
    const wrong = () => readConfig({ DAYBOOK_MASTER_KEY, [name]: value });
    expect(wrong).toThrow(why);
    expect(wrong).not.toThrow('sure');
  });

  it.each(['redis://:100%25sure@h:6379', 'rediss://h/', 'redis://h:6379/15'])('is taken: %s', (REDIS_URL) => {
    expect(readConfig({ REDIS_URL }).redisUrl).toBe(REDIS_URL);
  });
});

describe('the address that clients reach', () => {
  it.each([
    'https://a.example/?x=1',
    'https://a.example?',
    'https://a.example/#top',
    'https://a.example/#',
    'https://user:hush@a.example',
    'https://user@a.example',
  ])('is not %s', (DAYBOOK_PUBLIC_URL) => {
    const wrong = () => readConfig({ DAYBOOK_PUBLIC_URL });
    expect(wrong).toThrow(/^DAYBOOK_PUBLIC_URL: must be an address and no more: leave out [^\n]*$/);
    expect(wrong).not.toThrow('hush');
  });

  it.each([
    ['https://a.example', 'https://a.example'],
    ['http://a.example:8080/pay/', 'http://a.example:8080/pay'],
  ])('%s is %s', (DAYBOOK_PUBLIC_URL, expected) => {
    expect(readConfig({ DAYBOOK_PUBLIC_URL }).publicUrl).toBe(expected);
  });
});
