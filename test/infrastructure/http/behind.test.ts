import { ServerResponse } from 'node:http';
import type { Response } from 'express';
import { describe, expect, it } from 'vitest';
import { behindHeader, Rest } from '../../../src/infrastructure/http/behind.ts';
import { noticing, restsOn, restsOnRows } from '../../../src/infrastructure/rests-on.ts';

/** A request whose read models show the log up to a position; `waits` has what it has waited for. */
function requestAt(shown: bigint) {
  const waits: [bigint, string][] = [];
  const res = new ServerResponse({ method: 'GET' } as never) as unknown as Response;
  const projected = async (position: bigint, what: 'done' | 'seen') => {
    waits.push([position, what]);
    return position <= shown;
  };
  const rest = new Rest(res, { projected });
  return { rest, waits, isBehind: () => res.hasHeader(behindHeader) };
}

describe('what an answer rests on', () => {
  it('is waited for once, after the work', async () => {
    const { rest, waits, isBehind } = requestAt(9n);
    rest.did(3n);
    noticing(rest, () => [7n, 5n, undefined].forEach(restsOn));
    expect(waits).toEqual([]);
    await rest.untilAllShown();
    expect(waits).toEqual([
      [3n, 'done'],
      [7n, 'seen'],
    ]);
    expect(isBehind()).toBe(false);
  });

  it('is not waited for again where it was done by the request itself', async () => {
    const { rest, waits } = requestAt(9n);
    rest.did(7n);
    noticing(rest, () => restsOn(7n));
    await rest.untilAllShown();
    expect(waits).toEqual([[7n, 'done']]);
  });

  it('is waited for before rows are read, and in vain only once', async () => {
    const { rest, waits, isBehind } = requestAt(4n);
    await noticing(rest, () => restsOnRows(5n));
    expect(isBehind()).toBe(true);
    noticing(rest, () => restsOn(6n));
    await rest.untilAllShown();
    expect(waits).toEqual([[5n, 'seen']]);
  });

  it('is nothing outside a request', async () => {
    restsOn(5n);
    expect(await restsOnRows(5n)).toBeUndefined();
  });
});
