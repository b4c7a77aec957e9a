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

describe('webhooks to private addresses', () => {
  it.each([
    [{}, true],
    [{ DAYBOOK_ENVIRONMENT: 'production' }, false],
    [{ DATABASE_URL, DAYBOOK_MASTER_KEY }, false],
    [{ DATABASE_URL, DAYBOOK_MASTER_KEY, DAYBOOK_WEBHOOK_ALLOW_PRIVATE: 'true' }, true],
    [{ DAYBOOK_WEBHOOK_ALLOW_PRIVATE: 'false' }, false],
  ])('with %j are allowed: %s', (variables, allowed) => {
    expect(readConfig(variables).webhooks.allowPrivate).toBe(allowed);
  });
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
