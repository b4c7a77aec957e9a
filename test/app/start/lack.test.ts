import { describe, expect, it } from 'vitest';
import { toldAsLack } from '../../../src/app/start/lack.ts';
import { StoreAway } from '../../../src/infrastructure/away.ts';

const said = (message: string, code: string) => Object.assign(new Error(message), { code });
const told = (error: Error, databaseUrl?: string) => String(toldAsLack(error, { databaseUrl }));

describe('what keeps a start from its tables', () => {
  it('is told with what to do where its server lacks something', () => {
    const full = said('could not extend file "base/5/16860": No space left on device', '53100');
    const rest = `Postgres says: ${full.message}. The disk of its server is full, make room there.`;
    expect(told(full)).toBe(`CannotStart: DAYBOOK_DATA_DIR: ${rest}`);
    expect(told(full, 'postgres://a/b')).toBe(`CannotStart: DATABASE_URL: ${rest}`);
  });

  it('is told to be shared memory where the system says of it what it says of a full disk', () => {
    const small = said(
      'could not resize shared memory segment "/PostgreSQL.1" to 1 bytes: No space left on device',
      '53100',
    );
    expect(told(small)).toMatch(
      /\. Its server has too little shared memory, give it more \(.*--shm-size\)\.$/,
    );
  });

  it('is told with where to read on where a page is damaged', () => {
    expect(told(said('invalid page in block 2 of relation "base/5/1"', 'XX001'))).toMatch(
      /^CannotStart: DAYBOOK_DATA_DIR: Postgres says: invalid page .* see docs\/operations\/runbook\.md#a-damaged-page\.$/,
    );
  });

  it('is told to be a part of a backup where keys or tables are not as every version has made them', () => {
    for (const code of ['42P01', '42P07', '42P10'])
      expect(told(said('it says so', code), 'postgres://a/b')).toBe(
        'CannotStart: DATABASE_URL: the database is not whole, as one whose backup was put back in part: it says so. Put the backup back into an empty database, to its end.',
      );
  });

  it('is told by the variable of its server where that was there before', () => {
    const next = 'Look whether it runs and can be reached from here, and start again.';
    expect(told(new Error('Connection terminated unexpectedly'), 'postgres://a/b')).toBe(
      `CannotStart: DATABASE_URL: its server went away during the start: Connection terminated unexpectedly. ${next}`,
    );
    expect(told(said('the database system is shutting down', '57P03'))).toBe(
      `CannotStart: DAYBOOK_DATA_DIR: its server went away during the start: the database system is shutting down. ${next}`,
    );
    expect(told(new StoreAway('no answer', { store: 'EVENTSTORE_URL' }), 'postgres://a/b')).toBe(
      `CannotStart: EVENTSTORE_URL: its server went away during the start: no answer. ${next}`,
    );
  });

  it('is what it was otherwise', () => {
    const other = said('no such column', '42703');
    expect(toldAsLack(other, { databaseUrl: undefined })).toBe(other);
  });
});
