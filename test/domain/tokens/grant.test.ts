import { describe, expect, it } from 'vitest';
import { grantedBy } from '../../../src/domain/tokens/grant.ts';
import type { Permission } from '../../../src/domain/tokens/permissions.ts';
import { thrownBy } from '../../support/builders/spec.ts';

type Row = [held: Permission[], asked: Permission[], granted: Permission[]];

describe('a token', () => {
  it.each<Row>([
    [['MANAGE'], ['MANAGE'], ['MANAGE']],
    [['MANAGE'], ['VIEW'], ['VIEW']],
    [
      ['TRANSACT', 'MANAGE'],
      ['TRANSACT', 'VIEW'],
      ['VIEW', 'TRANSACT'],
    ],
    [
      ['VIEW', 'TRANSACT', 'MANAGE'],
      ['MANAGE', 'VIEW', 'MANAGE'],
      ['VIEW', 'MANAGE'],
    ],
  ])('with %j asked for %j grants %j', (held, asked, granted) => {
    expect(grantedBy(held, asked)).toEqual(granted);
  });

  it.each<[held: Permission[], asked: Permission[], lacking: Permission]>([
    [['MANAGE'], ['TRANSACT'], 'TRANSACT'],
    [['VIEW', 'MANAGE'], ['VIEW', 'MANAGE', 'TRANSACT'], 'TRANSACT'],
    [['TRANSACT'], ['MANAGE'], 'MANAGE'],
  ])('with %j asked for %j lacks %s', (held, asked, requiredPermission) => {
    expect(thrownBy(() => grantedBy(held, asked))).toMatchObject({
      code: 'FORBIDDEN',
      details: { requiredPermission },
    });
  });
});
