import { describe, expect, it } from 'vitest';
import { customer } from '../../src/customers/customer.ts';
import { InvariantViolation } from '../../src/infrastructure/invariant.ts';
import {
  businessDetails,
  customerCreated,
  customerDetails,
  customerStatusChanged,
} from '../support/builders/customers.ts';
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

describe('the status of a customer', () => {
  const approve = { type: 'ChangeCustomerStatus', kycStatus: 'APPROVED', at: testStart } as const;
  const reject = { ...approve, kycStatus: 'REJECTED' } as const;
  const wait = { ...approve, kycStatus: 'PENDING' } as const;
  const created = customerCreated(businessDetails());
  const pending = customerStatusChanged('PENDING');

  it('is PENDING once it was submitted', () => given(created).when(wait).then(pending));

  it.each([approve, reject])('passes PENDING on its way to $kycStatus', (command) =>
    given(created).when(command).then(pending, customerStatusChanged(command.kycStatus)),
  );

  it.each([approve, reject])('goes from PENDING to $kycStatus', (command) =>
    given(created, pending).when(command).then(customerStatusChanged(command.kycStatus)),
  );

  it.each([wait, approve, reject])('stays APPROVED for good: $kycStatus', (command) =>
    given(created, pending, customerStatusChanged('APPROVED')).when(command).thenNothing(),
  );

  it('is not repeated', () => given(created, pending).when(wait).thenNothing());

  it('names the wallet of an individual', () =>
    given(customerCreated({ kycStatus: 'PENDING', walletCurrency: 'USDB' }))
      .when(approve)
      .then(customerStatusChanged('APPROVED', { customerType: 'INDIVIDUAL', walletCurrency: 'USDB' })));

  it('is refused for nobody', () => given().when(approve).thenRejected('USER_NOT_FOUND'));

  it('cannot have changed before there was a customer', () => {
    expect(() => stateOf(customer, pending)).toThrow(InvariantViolation);
  });
});
