import { describe, expect, it } from 'vitest';
import { lookup } from '../../../src/domain/lookups/lookup.ts';
import { lookupCreated, lookupDetails } from '../../support/builders/lookups.ts';
import { specFor, stateOf } from '../../support/builders/spec.ts';

const given = specFor(lookup);

describe('a lookup', () => {
  it('keeps what the sender was told', () =>
    given().when({ type: 'CreateLookup', details: lookupDetails() }).then(lookupCreated()));

  it.each([lookupDetails(), lookupDetails({ currencies: ['EUR'] })])('is made once', (details) =>
    given(lookupCreated()).when({ type: 'CreateLookup', details }).thenNothing(),
  );

  it('shows what the sender was told', () => {
    expect(stateOf(lookup, lookupCreated())).toEqual({ ...lookupDetails(), status: 'created' });
  });
});
