import { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { timeFor, timeOfRequest } from '../../../../src/infrastructure/deadlines/deadline.ts';
import type { Attempted, Begun } from '../../../../src/infrastructure/http/once/idempotency.ts';
import { answerOnce, type Work } from '../../../../src/infrastructure/http/once/keyed.ts';
import type { Answer, Asked, Request } from '../../../../src/infrastructure/http/operation.ts';
import { keyedWork } from '../../../../src/infrastructure/http/work.ts';
import { Rejected } from '../../../../src/kernel/rejected.ts';
import { paying } from './paying.ts';

const attempted: Attempted = { scope: 'scope', key: { scope: 'scope', since: '2026-01-01T00:00:00.000Z' } };

type Doing = {
  /** What each look finds. */
  readonly finds: (asked: Asked) => Promise<unknown>;
  readonly does?: () => Promise<Answer>;
  readonly isAwaited?: boolean;
  /** Of its body, which the operation does not read. */
  readonly bytes?: number;
  /** Throws where its platform has gone back since the request began. */
  readonly requireSame?: () => void;
};

const done = async (): Promise<Answer> => ({ status: 201, body: {} });

/** Answers a request that holds its key as `held` says, for the first time where that says nothing. */
function answerUnder(held: Partial<Begun>, work: Partial<Work>) {
  const begin = async (): Promise<Begun> => ({
    attempted,
    fingerprint: undefined,
    latest: 0,
    isRepeat: false,
    othersForSeconds: undefined,
    hasWaited: false,
    keep: async (answered) => ({ ...answered, fingerprint: undefined }),
    leave: async () => undefined,
    forget: async () => undefined,
    ...held,
  });
  return answerOnce(
    { begin },
    { scope: 'scope', fingerprint: '{}', tenant: 'p' },
    {
      run: done,
      resume: async () => undefined,
      keptRefusal: () => undefined,
      textOf: () => '{}',
      tellOther: async () => undefined,
      ...work,
    },
  );
}

/** A request with a key whose work writes down what happens. */
function requestThat({ finds, does = done, isAwaited = false, bytes = 0, requireSame }: Doing) {
  const happened: string[] = [];
  const shown = Promise.withResolvers<boolean>();
  const res = Object.assign(new ServerResponse({ method: 'POST' } as never), { locals: { requestId: 'r' } });
  const route = {
    operation: paying,
    load: async (asked: Asked) => {
      happened.push('look');
      return finds(asked);
    },
    handle: async ({ cause, requestedBy }: Request, loaded: unknown) => {
      happened.push(`do ${String(loaded)} as ${requestedBy}`);
      cause.seen?.(7n);
      return does();
    },
  };
  const served = {
    route,
    req: { query: {}, params: {}, headers: { 'content-length': String(bytes) }, get: () => undefined },
    res,
    caller: { platformId: 'p', actor: 'a' },
    requireSame,
  };
  const deps = {
    gate: { requirePermission: () => undefined, refusesUnread: async () => false },
    ids: { uuid: () => 'uuid' },
    projected: async (position: bigint) => {
      happened.push(`wait for ${position}`);
      return shown.promise;
    },
    hasLost: () => false,
  };
  const work = keyedWork(served as never, deps as never, isAwaited);
  return { work, res, happened, shown: () => shown.resolve(true) };
}

/** Whether it has come to its end, once all has happened that waits for nothing. */
const isOver = (work: Promise<unknown>): Promise<boolean> => {
  const over = work.then(
    () => true,
    () => true,
  );
  return Promise.race([over, new Promise<boolean>((go) => setImmediate(go, false))]);
};

describe('the work of a request with a key', () => {
  it('begins with what the request is about, before the key is known', async () => {
    const { work, happened } = requestThat({ finds: async () => 'found' });
    await new Promise(setImmediate);
    expect(happened).toEqual(['look']);
    await work.run(attempted, false);
    expect(happened).toEqual(['look', 'do found as scope', 'wait for 7']);
  });

  it('is done before the read models show it, and may be kept meanwhile', async () => {
    const { work, shown } = requestThat({ finds: async () => 'found' });
    expect(await work.run(attempted, false)).toMatchObject({ status: 201 });
    expect(await isOver(work.shown())).toBe(false);
    shown();
    expect(await isOver(work.shown())).toBe(true);
  });

  it('looks anew where what was found before may be old', async () => {
    let looks = 0;
    const { work, happened } = requestThat({ finds: async () => (looks += 1) });
    await work.run(attempted, true);
    expect(happened).toEqual(['look', 'look', 'do 2 as scope', 'wait for 7']);
  });

  it('is refused for its platform, and for nothing else, once that has gone back under it', async () => {
    const refusals = {
      own: new Rejected('TRANSACTION_NOT_FOUND', 'No.'),
      wentBack: new Rejected('SERVICE_UNAVAILABLE', 'Again.'),
    };
    const failure = new Error('a fault');
    const refusedBy = async (error: Error, hasGoneBack: boolean) => {
      const requireSame = () => {
        if (hasGoneBack) throw refusals.wentBack;
      };
      const does = () => Promise.reject(error);
      const { work, shown } = requestThat({ finds: async () => 'found', does, requireSame });
      shown();
      return work.run(attempted, false).catch((thrown: unknown) => thrown);
    };
    expect(await refusedBy(refusals.own, false)).toBe(refusals.own);
    expect(await refusedBy(refusals.own, true)).toBe(refusals.wentBack);
    expect(await refusedBy(failure, true)).toBe(failure);
  });

  it('is refused by what was found only where it is to be done', async () => {
    const missing = new Rejected('REFERENCE_NOT_FOUND', 'There is no such account.');
    const { work, happened } = requestThat({ finds: async () => Promise.reject(missing) });
    await new Promise(setImmediate);
    await work.shown();
    await expect(work.run(attempted, false)).rejects.toBe(missing);
    expect(happened).toEqual(['look']);
  });

  it('looks for nothing before its key is held where that is waited for', async () => {
    const { work, happened } = requestThat({ finds: async () => 'found', isAwaited: true });
    expect(await isOver(work.over())).toBe(true);
    expect(happened).toEqual([]);
    await work.run(attempted, true);
    expect(happened).toEqual(['look', 'do found as scope', 'wait for 7']);
  });

  it('is refused once the read models show why: repeats of a refusal do not wait', async () => {
    const refused = new Rejected('CONFLICT', 'It is done already.');
    const { work, shown } = requestThat({ finds: async () => 'found', does: () => Promise.reject(refused) });
    const run = work.run(attempted, false);
    expect(await isOver(run)).toBe(false);
    shown();
    await expect(run).rejects.toBe(refused);
  });

  it('comes to its answer where the caller was told that it was too late', async () => {
    const late = requestThat({ finds: async () => 'found', bytes: 10 });
    late.res.writeHead(503);
    expect(await late.work.run(attempted, false)).toMatchObject({ status: 201 });
    const early = requestThat({ finds: async () => 'found', bytes: 10 });
    await early.work.run(attempted, false);
    expect(early.res.getHeader('warning')).toMatch(/Ignored/);
  });

  it('is over when nothing is looked for any more, whatever was found', async () => {
    const looked = Promise.withResolvers<unknown>();
    const { work } = requestThat({ finds: () => looked.promise });
    expect(await isOver(work.over())).toBe(false);
    looked.reject(new Error('the log is away'));
    await new Promise(setImmediate);
    await expect(work.over()).resolves.toBeUndefined();
  });

  it.each([
    [1, 'is new and was not waited for', { isRepeat: false, hasWaited: false }],
    [2, 'was waited for', { isRepeat: false, hasWaited: true }],
    [2, 'was used before', { isRepeat: true, hasWaited: false }],
  ])('looks %i time(s) where its key %s', async (times, _how, held) => {
    let looks = 0;
    const { work, happened } = requestThat({ finds: async () => (looks += 1) });
    await answerUnder(held, { run: work.run });
    expect(happened).toContain(`do ${times} as scope`);
  });
});

describe('what a request with a key does', () => {
  it('is recorded until the moment that those who have its key later count on', async () => {
    let latest: number | undefined;
    const run = async () => {
      latest = timeOfRequest()?.latest;
      return done();
    };
    await timeFor(60_000)(() => answerUnder({ latest: 7 }, { run }));
    expect(latest).toBe(7);
  });
});

describe('a refusal of a request with a key', () => {
  const refused = new Rejected('QUOTE_EXPIRED', 'too late');
  const kept = { status: 409, body: 'too late' };

  /** Answers one whose key others had before; `finds` is what they are found to have done once it is refused. */
  function answering(othersForSeconds: number | undefined, finds?: Answer) {
    const ends: string[] = [];
    let looks = 0;
    const key: Partial<Begun> = {
      isRepeat: true,
      othersForSeconds,
      leave: async (isOver) => void ends.push(`left ${isOver ? 'and over' : 'in doubt'}`),
      forget: async () => void ends.push('forgotten'),
    };
    const resume = async () => (looks++ === 0 ? undefined : finds);
    const textOf = ({ body }: Answer) => String(body);
    const answer = (run: () => Promise<Answer>) =>
      answerUnder(key, { run, resume, keptRefusal: () => kept, textOf });
    return { answer, ends };
  }
  const refuse = () => Promise.reject(refused);

  it('is its answer where nobody else may be at work', async () => {
    const { answer } = answering(undefined);
    expect(await answer(refuse)).toMatchObject(kept);
  });

  it('is no answer while others may yet do what it asks for', async () => {
    const { answer, ends } = answering(7);
    await expect(answer(refuse)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      details: { retryAfterSeconds: 7 },
    });
    expect(ends).toEqual(['left and over']);
  });

  it('gives way to what others have done', async () => {
    const { answer } = answering(7, { status: 201, body: 'paid' });
    expect(await answer(refuse)).toMatchObject({ status: 201, body: 'paid' });
  });

  it('leaves the key in doubt where a store gave no answer', async () => {
    const { answer, ends } = answering(undefined);
    await expect(answer(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(ends).toEqual(['left in doubt']);
  });
});
