import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { addressFor } from '../../../src/app/cli/commands/auditor.ts';

const role = { name: 'auditor', password: 'p4ss' };

describe("an auditor's address", () => {
  it.each([
    ['postgres://owner:secret@db.example:5433/books?sslmode=disable', 'db.example'],
    ['postgresql://db.example:5433/books?user=owner&password=secret', 'db.example'],
    ['postgres:///books?host=/var/run/postgresql&user=owner&password=secret', '/var/run/postgresql'],
  ])('has the role alone, wherever %s has its user', (url, host) => {
    const address = addressFor(url, role) ?? '';
    expect(address).not.toMatch(/owner|secret/);
    const { user, password, database, host: at } = new pg.Client(address);
    expect([user, password, database, at]).toEqual(['auditor', 'p4ss', 'books', host]);
  });

  it('is none where the address is no URL', () =>
    expect(addressFor('host=/tmp dbname=books', role)).toBeUndefined());
});
