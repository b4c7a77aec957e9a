import { describe, expect, it } from 'vitest';
import { curlOf, isDoneOnce, type Repeated } from '../../console/kernel/curl.ts';

const at = Date.parse('2026-11-30T12:00:00Z');
const request: Repeated = {
  method: 'POST',
  path: '/transfer-out',
  query: '',
  requestBody: { amount: 1_000 },
  idempotencyKey: 'rent',
  createdAt: new Date(at).toISOString(),
};
const curl = (changes: Partial<Repeated> = {}) =>
  curlOf({ ...request, ...changes }, 'https://daybook.test', '2025-10-13');
/** What the log has of a header that a caller sent as UTF-8. */
const logged = (key: string) => Buffer.from(key).toString('latin1');
const hour = 60 * 60 * 1_000;

describe('the curl of a request', () => {
  it('has its address, credentials, key and body', () => {
    expect(curl()).toBe(
      [
        "curl -X POST 'https://daybook.test/2025-10-13/transfer-out'",
        '-u "$DAYBOOK_CLIENT_ID:$DAYBOOK_CLIENT_SECRET"',
        "-H 'Idempotency-Key: rent'",
        "-H 'Content-Type: application/json'",
        `-d '{"amount":1000}'`,
      ].join(' \\\n  '),
    );
  });

  it('has a version once', () => {
    expect(curl({ path: '/2025-10-13/config' })).toContain("'https://daybook.test/2025-10-13/config'");
  });

  it.each(['miete-für', '家賃', "o'clock", '\ufeffmarked'])('has the key %s as it was sent', (key) => {
    const header = `Idempotency-Key: ${key.replaceAll("'", "'\\''")}`;
    expect(curl({ idempotencyKey: logged(key) })).toContain(`-H '${header}'`);
  });

  it.each(['miete-f\xfcr', '\xff'])('leaves out the key %s, whose bytes are no text', (idempotencyKey) => {
    expect(curl({ idempotencyKey })).not.toContain('Idempotency-Key');
  });

  it.each(['/agents/me', '/agents/me/transfer-out', '/2025-10-13/agents/me/quotes'])(
    'has the token of an agent for %s',
    (path) => {
      expect(curl({ path })).toContain('-H "Authorization: Bearer $DAYBOOK_ACCESS_TOKEN"');
      expect(curl({ path })).not.toContain('-u ');
    },
  );

  it('has the credentials of a platform for what is not of the agent itself', () => {
    for (const path of ['/agents', '/agents/Agent:01a1f84e-cc35-73e8-b3e0-000000000003', '/agents/mean'])
      expect(curl({ path })).toContain('-u "$DAYBOOK_CLIENT_ID:$DAYBOOK_CLIENT_SECRET"');
  });

  it('has a query that means the same, and shows what is masked', () => {
    const query = 'startDate=2026-11-30T12:00:00+02:00&reference=•••&•••=•••&of=a=b';
    const [, address = ''] = /'(.*)'/.exec(curl({ method: 'GET', query })) ?? [];
    expect(address).toContain('&reference=•••&•••=•••&');
    expect([...new URL(address).searchParams]).toEqual([
      ['startDate', '2026-11-30T12:00:00+02:00'],
      ['reference', '•••'],
      ['•••', '•••'],
      ['of', 'a=b'],
    ]);
  });
});

describe('a request that is sent again', () => {
  const isOnce = (changes: Partial<Repeated>, after = hour) =>
    isDoneOnce({ ...request, ...changes }, at + after);

  it.each(['/quotes', '/quotes/Quote:1/execute', '/transfer-in', '/agents/me/transfer-out'])(
    'is done once for a day where it has a key: %s',
    (path) => {
      expect(isOnce({ path }, 24 * hour - 1)).toBe(true);
      expect(isOnce({ path }, 24 * hour)).toBe(false);
    },
  );

  it.each([
    ['has no key', { idempotencyKey: null }],
    ['has a key that is no text', { idempotencyKey: '\xff' }],
    ['takes no key', { path: '/tokens' }],
    ['reads', { method: 'GET', path: '/quotes' }],
  ])('is done again where it %s', (_what, changes) => {
    expect(isOnce(changes)).toBe(false);
  });
});
