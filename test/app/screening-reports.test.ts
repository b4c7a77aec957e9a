import { describe, expect, it } from 'vitest';
import { createScreeningReports } from '../../src/app/parts/screening.ts';
import type { Verdict } from '../../src/domain/ports/screening.ts';
import { verificationNotFound } from '../../src/domain/verification/verification.ts';
import { Rejected } from '../../src/kernel/rejected.ts';

const id = 'Verification:00000000-0000-7000-8000-000000000001';

/** What the screening is answered to a verdict, and what the log says then. */
async function told(decide: () => Promise<{ isNew: boolean }>) {
  const lines: unknown[] = [];
  const log = { error: (...line: unknown[]) => void lines.push(line) };
  const answer = await createScreeningReports({ decide, log }).decided(id, 'REJECTED');
  return [answer, lines];
}

describe('a verdict of the screening', () => {
  it.each([
    [true, 'recorded'],
    [false, 'unchanged'],
  ])('is recorded once', async (isNew, answer) => {
    expect(await told(async () => ({ isNew }))).toEqual([answer, []]);
  });

  it('that is not the first one changes nothing, and an operator is told', async () => {
    const ended = () => Promise.reject(new Rejected('CONFLICT', 'The verification has ended as APPROVED.'));
    const line = [{ verificationId: id, verdict: 'REJECTED' }, expect.stringContaining('otherwise')];
    expect(await told(ended)).toEqual(['unchanged', [line]]);
  });

  it('that is none decides nothing', async () => {
    const log = { error: () => expect.fail('told') };
    const reports = createScreeningReports({ decide: () => expect.fail('decided'), log });
    await expect(reports.decided(id, 'PENDING' as Verdict)).rejects.toThrow('what is no verdict');
  });

  it('of no verification is of nothing', async () => {
    expect(await told(() => Promise.reject(verificationNotFound()))).toEqual(['unknown', []]);
  });

  it('is told again later while nobody can say whose it is', async () => {
    const away = new Rejected('SERVICE_UNAVAILABLE', 'Send the request again.');
    await expect(told(() => Promise.reject(away))).rejects.toBe(away);
  });
});
