import { afterEach, describe, expect, it, vi } from 'vitest';
import { StoreAway } from '../../../src/infrastructure/away.ts';
import { pathOfNothing, pathOfOperation } from '../../../src/infrastructure/http/shown-path.ts';
import { createLog, forgetOutages, logOfOutside } from '../../../src/infrastructure/observe/log.ts';
import { createOutages, quietMs } from '../../../src/infrastructure/observe/outages.ts';
import { pretty } from '../../../src/infrastructure/observe/terminal.ts';
import { isStoreAway, throwAsStoreAway } from '../../../src/infrastructure/postgres/away.ts';
import { thrownBy } from '../../support/builders/spec.ts';

afterEach(() => void vi.useRealTimers());

const refused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

function logged() {
  const lines: { msg: string; variable?: string; further?: number; store?: string }[] = [];
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
  return { log, lines };
}

describe('a store that is away', () => {
  it('is not what a statement says that was late by itself: each of those is told', () => {
    const { log, lines } = logged();
    const late = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
    for (let n = 0; n < 3; n++) log.error({ err: late }, 'request failed');
    expect(lines.map(({ msg }) => msg)).toEqual(Array.from({ length: 3 }, () => 'request failed'));
  });

  it('is told of once, by its variable, and then counted until it is back', () => {
    vi.useFakeTimers();
    const { log, lines } = logged();
    log.warn({ err: refused() }, 'cannot listen; trying again');
    for (let n = 0; n < 100; n++) log.error({ err: refused(), lease: 'x' }, 'interrupted; trying again');
    expect(lines.map(({ msg, variable }) => [msg, variable])).toEqual([
      [expect.stringMatching(/^cannot listen; trying again; DATABASE_URL /), 'DATABASE_URL'],
    ]);
    vi.advanceTimersByTime(quietMs);
    expect(lines.slice(1)).toMatchObject([{ variable: 'DATABASE_URL', further: 100 }]);
    log.warn({ err: refused() }, 'cannot listen; trying again');
    expect(lines).toHaveLength(3);
  });

  it.each([
    ['53100', 'the disk of its server is full'],
    ['53300', 'its server has no connection left'],
    ['25006', 'its server only reads'],
  ])('is told of once with what it lacks where it answers %s', (code, lack) => {
    const { log, lines } = logged();
    for (let n = 0; n < 100; n++)
      log.warn({ err: Object.assign(new Error('refused'), { code }) }, 'a store is away');
    expect(lines.map(({ msg }) => msg)).toEqual([
      expect.stringMatching(`^a store is away; DATABASE_URL: ${lack}.*, and further errors are counted$`),
    ]);
  });

  it.each([
    ["OOM command not allowed when used memory > 'maxmemory'", 'its server has no memory left'],
    ["READONLY You can't write against a read only replica", 'its server only reads'],
    [
      'MISCONF Errors writing to the AOF file: No space left on device',
      'its server cannot write to its disk',
    ],
    ['WRONGPASS invalid username-password pair', 'its server refuses the user or the password'],
    ["CROSSSLOT Keys in request don't hash to the same slot", 'its server is of a cluster'],
    ['ERR DB index is out of range', 'its server has no database of this number'],
  ])('is told of once with what it lacks where Redis answers %s', (answer, lack) => {
    const { log, lines } = logged();
    const err = Object.assign(new Error(answer), { name: 'ReplyError' });
    const refused = new StoreAway('a job was not taken', { store: 'REDIS_URL', cause: err });
    for (let n = 0; n < 100; n++) log.warn({ err: refused }, 'the next look was not queued');
    log.warn({ err, store: 'REDIS_URL' }, 'queue connection');
    expect(lines.map(({ msg }) => msg)).toEqual([
      expect.stringMatching(
        `^the next look was not queued; REDIS_URL: ${lack}.*, and further errors are counted$`,
      ),
    ]);
  });

  it('is told of once with what this process lacks to reach it, and not for a file that it could not open', () => {
    const { log, lines } = logged();
    const without = (syscall: string) => Object.assign(new Error(syscall), { code: 'EMFILE', syscall });
    log.warn({ err: without('open') }, 'request failed');
    for (let n = 0; n < 100; n++) log.warn({ err: without('connect') }, 'a store is away');
    expect(lines.map(({ msg }) => msg)).toEqual([
      'request failed',
      expect.stringMatching(/^a store is away; DATABASE_URL: this process has no file descriptor left/),
    ]);
    expect([isStoreAway(without('connect')), isStoreAway(without('open'))]).toEqual([true, false]);
  });

  it('is told of beside another', () => {
    const { log, lines } = logged();
    for (let n = 0; n < 3; n++) {
      log.warn({ err: new Error('ended'), store: 'REDIS_URL' }, 'queue connection');
      log.warn({ err: new StoreAway('no answer', { store: 'EVENTSTORE_URL' }) }, 'a store is away');
      log.child({ part: 'rail' }).warn({ err: new StoreAway('no answer') }, 'a store is away');
    }
    expect(lines.map(({ variable }) => variable)).toEqual(['REDIS_URL', 'EVENTSTORE_URL', 'DATABASE_URL']);
    expect(lines[0]).not.toHaveProperty('store');
  });

  it('keeps nothing else from being told', () => {
    const { log, lines } = logged();
    log.warn({ err: refused() }, 'cannot listen; trying again');
    for (let n = 0; n < 3; n++) log.error({ err: new Error('a fault') }, 'request failed');
    log.error({ err: refused(), call: 'submit', store: undefined }, 'the rail gave no answer');
    log.info('text');
    log.info('%s and %s', 'one', 'two');
    expect(lines.slice(1).map(({ msg }) => msg)).toEqual([
      ...Array(3).fill('request failed'),
      'the rail gave no answer',
      'text',
      'one and two',
    ]);
  });

  it('is not what is told by who asks others over a network, unless that says so', () => {
    const { log, lines } = logged();
    const rail = logOfOutside(log, 'rail').child({ of: 'a bank' });
    for (let n = 0; n < 2; n++) rail.error({ err: refused() }, 'no answer');
    log.error({ err: Object.assign(new Error('ended'), { code: '57P01' }) }, 'a store is away');
    rail.error({ err: thrownBy(() => throwAsStoreAway(refused())) }, 'nothing was credited');
    expect(lines).toMatchObject([
      { msg: 'no answer', part: 'rail' },
      { msg: 'no answer', of: 'a bank' },
      { variable: 'DATABASE_URL' },
    ]);
  });

  it('is not told to be back by a service that has stopped, and is told of anew where it is used again', () => {
    vi.useFakeTimers();
    const { log, lines } = logged();
    log.warn({ err: refused() }, 'cannot listen; trying again');
    forgetOutages(log);
    vi.advanceTimersByTime(10 * quietMs);
    expect(lines).toHaveLength(1);
    log.warn({ err: refused() }, 'cannot listen; trying again');
    vi.advanceTimersByTime(quietMs);
    expect(lines.slice(1)).toMatchObject([{ variable: 'DATABASE_URL' }, { further: 0 }]);
  });

  it('is away until nobody has complained for a while', () => {
    vi.useFakeTimers();
    const over = vi.fn();
    const { complained: outage } = createOutages(over, 1_000);
    outage({ err: refused() });
    for (let n = 0; n < 5; n++) {
      vi.advanceTimersByTime(999);
      expect(outage({ err: refused() })).toBe('counted');
    }
    expect(over).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1_000);
    expect(over).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ store: 'DATABASE_URL', further: 5 }),
    );
  });
});

describe('an error about a text that is no JSON', () => {
  it.each([
    `{"otp":'Quagmire'}`,
    `Quagmire${' '.repeat(100)}`,
    `${' '.repeat(100)}Quagmire`,
    `["",\n"${' '.repeat(100)}",Quagmire,${' '.repeat(100)}`,
  ])('is told without the text: %j', (text) => {
    const { log, lines } = logged();
    const err = thrownBy(() => JSON.parse(text));
    log.error({ err }, 'request failed');
    log.error({ err: new Error('cannot be read', { cause: err }) }, 'request failed');
    expect(lines).toMatchObject([
      { err: { type: 'SyntaxError', stack: expect.stringContaining('log.test.ts') } },
      { err: { cause: { message: expect.stringContaining('JSON') } } },
    ]);
    expect(JSON.stringify(lines)).not.toContain('uag');
  });
});

describe('a line on a terminal', () => {
  const request = {
    level: 30,
    time: 0,
    requestId: 'Request:1',
    method: 'POST',
    path: '/a',
    operationId: 'createA',
  };
  const line = (more: object) =>
    pretty(JSON.stringify({ ...request, ms: 7, msg: 'request', ...more }), false);

  it('has a request in columns', () => {
    const texts = [
      line({ status: 201 }),
      line({ status: 503, method: 'PATCH', operationId: 'updateTheOther' }),
    ];
    expect(texts[0]).toMatch(/^\[[\d:.]+\] INFO: POST {3}201 +7 ms createA +\/a Request:1\n$/);
    expect(new Set(texts.map((text) => text.indexOf('/a'))).size).toBe(1);
  });

  it('has everything else as it was logged', () => {
    expect(pretty('{"level":40,"time":0,"msg":"odd","further":3}', false)).toContain(
      'WARN: odd\n    further: 3',
    );
  });
});

describe('the path of a request', () => {
  const id = 'Customer:01a1f84e-cc35-73e8-b3e0-2cdab6292ce9';
  it.each([
    ['/customers', {}, '/customers'],
    ['/customers/{customerId}', { customerId: id }, `/customers/${id}`],
    [
      '/agents/device-codes/{code}/redeem',
      { code: 'SVC-AGENT-ABCD-EFGH' },
      '/agents/device-codes/{code}/redeem',
    ],
    ['/receiver/uma/{address}', { address: '$ada@pay.example' }, '/receiver/uma/{address}'],
    ['/customers/{customerId}', { customerId: `${id}\nx` }, '/customers/{customerId}'],
  ])('shows ids and no codes: %s', (path, params, shown) => {
    expect(pathOfOperation(path, params)).toBe(shown);
  });

  it.each([
    ['/healthz', '/healthz'],
    ['/2025-10-13/customer/', '/2025-10-13/customer/'],
    [`/2025-10-13/payees/${id}`, `/2025-10-13/payees/${id}`],
    ['/2025-10-13/agents/SVC-AGENT-ABCD-EFGH', '/2025-10-13/agents/…'],
    ['/%0a/ada@example.com/../7f3c', '/…/…/…/…'],
  ])('of nothing known shows words and ids: %s', (path, shown) => {
    expect(pathOfNothing(path)).toBe(shown);
  });
});
