import { describe, expect, it } from 'vitest';
import { nearestOf } from '../../src/kernel/nearest.ts';

const known = ['fullName', 'customerId', 'limit', 'cursor', 'id'];

describe('the name that was meant', () => {
  it.each([
    ['fullname', 'fullName'],
    ['fulName', 'fullName'],
    ['fullNmae', 'fullName'],
    ['customer_id', 'customerId'],
    ['costumerId', 'customerId'],
    ['limits', 'limit'],
    ['Id', 'id'],
  ])('is told of %s', (given, meant) => expect(nearestOf(given, known)).toBe(meant));

  it.each(['name', 'page', 'order', '', 'x'.repeat(500)])('is not guessed of %s', (given) => {
    expect(nearestOf(given, known)).toBeUndefined();
  });

  it('is the nearest of several', () => {
    expect(nearestOf('RATES', ['RATE', 'RATED', 'ROLES'])).toBe('RATE');
    expect(nearestOf('RATES', ['ROLES', 'RATES'])).toBe('RATES');
  });
});
