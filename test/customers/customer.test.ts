import { describe, expect, it } from 'vitest';
import { customer } from '../../src/customers/customer.ts';
import { InvariantViolation } from '../../src/infrastructure/invariant.ts';
import { customerCreated, customerDetails } from '../support/builders/customers.ts';
import { testStart } from '../support/clock.ts';
import { specFor, stateOf } from '../support/spec.ts';

const given = specFor(customer);

describe('a customer', () => {
  it('is created as decided', () =>
    given().when({ type: 'CreateCustomer', details: customerDetails() }).then(customerCreated()));

  it.each([customerDetails(), customerDetails({ fullName: 'Somebody Else' })])('is created once', (details) =>
    given(customerCreated()).when({ type: 'CreateCustomer', details }).thenNothing(),
  );

  it('is active from then on', () => {
    const state = stateOf(customer, customerCreated());
    expect(state).toEqual({ ...customerDetails(), status: 'active', updatedAt: testStart });
  });

  it('cannot have been created twice', () => {
    expect(() => stateOf(customer, customerCreated(), customerCreated())).toThrow(InvariantViolation);
  });
});
