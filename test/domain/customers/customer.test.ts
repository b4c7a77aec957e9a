import { describe, expect, it } from 'vitest';
import type { CustomerChanges } from '../../../src/domain/customers/changes.ts';
import { customer, hasEnded, type KnownCustomer } from '../../../src/domain/customers/customer.ts';
import { paymentAddressStream } from '../../../src/domain/reservations/reservation.ts';
import { InvariantViolation } from '../../../src/kernel/invariant.ts';
import {
  businessDetails,
  businessInfo,
  customerClaimEnded,
  customerCreated,
  customerDeleted,
  customerDetails,
  customerStatusChanged,
  customerUpdated,
  deletionAbandoned,
  deletionBegun,
} from '../../support/builders/customers.ts';
import { specFor, stateOf } from '../../support/builders/spec.ts';
import { msLater, testStart } from '../../support/time/clock.ts';

const given = specFor(customer);

describe('a customer', () => {
  it('is created as decided', () =>
    given().when({ type: 'CreateCustomer', details: customerDetails() }).then(customerCreated()));

  it.each([customerDetails(), customerDetails({ fullName: 'Somebody Else' })])('is created once', (details) =>
    given(customerCreated()).when({ type: 'CreateCustomer', details }).thenNothing(),
  );

  it('is active from then on', () => {
    const state = stateOf(customer, customerCreated());
    expect(state).toMatchObject({ ...customerDetails(), status: 'active', updatedAt: testStart });
  });

  it('cannot have been created twice', () => {
    expect(() => stateOf(customer, customerCreated(), customerCreated())).toThrow(InvariantViolation);
  });
});

describe('a claim to a name', () => {
  const [mine] = customerDeleted().data.released;
  const reservation = paymentAddressStream('$new@pay.example');
  const end = { type: 'EndClaim', customerId: customerDetails().customerId, at: testStart } as const;
  const claimed = { reservation, claim: 'claim' };
  const update = (claim: string) =>
    ({ type: 'UpdateCustomer', changes: { umaAddress: '$new@pay.example' }, claim, at: testStart }) as const;
  const moved = customerUpdated({
    umaAddress: '$new@pay.example',
    taken: [claimed],
    released: mine ? [mine] : [],
  });

  it('of a customer who is not there ends for good', () => {
    const first = { reservation };
    given()
      .when({ ...end, ...first })
      .then(customerClaimEnded());
    given(customerClaimEnded())
      .when({ ...end, ...first })
      .thenNothing();
    given(customerClaimEnded())
      .when({ type: 'CreateCustomer', details: customerDetails() })
      .thenRejected('UMA_ADDRESS_EXISTS');
    given(customerClaimEnded())
      .when(update('claim'))
      .thenRejected('USER_NOT_FOUND', { resource: 'Customer' });
    expect(hasEnded(stateOf(customer, customerClaimEnded()), first)).toBe(true);
  });

  it('stays where the customer has the name under it', () => {
    given(customerCreated())
      .when({ ...end, reservation: mine?.reservation ?? '' })
      .thenNothing();
    given(customerCreated(), moved)
      .when({ ...end, ...claimed })
      .thenNothing();
    expect(hasEnded(stateOf(customer, customerCreated(), moved), claimed)).toBe(false);
    expect(hasEnded(stateOf(customer, customerCreated()), mine ?? claimed)).toBe(false);
  });

  it('of a change ends, and no other change with it', () => {
    const ended = [customerCreated(), customerClaimEnded('claim')];
    given(customerCreated())
      .when({ ...end, ...claimed })
      .then(customerClaimEnded('claim'));
    given(...ended)
      .when({ ...end, ...claimed })
      .thenNothing();
    given(...ended)
      .when(update('claim'))
      .thenRejected('UMA_ADDRESS_EXISTS');
    given(...ended)
      .when(update('other'))
      .then(customerUpdated({ ...moved.data, taken: [{ reservation, claim: 'other' }] }));
    expect(hasEnded(stateOf(customer, ...ended), claimed)).toBe(true);
    expect(hasEnded(stateOf(customer, customerCreated()), claimed)).toBe(false);
  });

  it('has ended with the customer, and when its name was given up', () => {
    expect(hasEnded(stateOf(customer, customerCreated(), customerDeleted()), claimed)).toBe(true);
    expect(hasEnded(stateOf(customer, customerCreated(), moved), mine ?? claimed)).toBe(true);
  });
});

describe('an e-mail address that was signed for', () => {
  const signed = (email: string, at: Date) => ({ type: 'TakeSignedEmail', email, at }) as const;
  const [first, second] = [msLater(1_000), msLater(2_000)];
  const changed = (email: string, at: Date) => customerUpdated({ email, at });

  it('is taken once', () => {
    given(customerCreated()).when(signed('a@example.com', first)).then(changed('a@example.com', first));
    given(customerCreated(), changed('a@example.com', first))
      .when(signed('a@example.com', first))
      .thenNothing();
  });

  it('is not taken after a newer one', () => {
    const history = [customerCreated(), changed('a@example.com', first), changed('b@example.com', second)];
    given(...history)
      .when(signed('a@example.com', first))
      .thenNothing();
    given(...history)
      .when(signed('b@example.com', second))
      .thenNothing();
  });

  it('is newer by the order in which it was signed, whatever the clocks said', () => {
    const update = { type: 'UpdateCustomer', claim: 'claim', at: second } as const;
    const taken = (ordinal: number, at = first) => ({ ...signed(`${ordinal}@example.com`, at), ordinal });
    const known = (emailOrdinal: number, at = first) =>
      customerUpdated({ email: `${emailOrdinal}@example.com`, emailOrdinal, at });
    given(customerCreated(), known(1, second)).when(taken(2)).then(known(2));
    given(customerCreated(), known(2)).when(taken(1, second)).thenNothing();
    given(customerCreated(), known(1)).when(taken(1, second)).thenNothing();
    const other = { email: 'other@example.com', emailOrdinal: 1, at: second };
    given(customerCreated())
      .when({ ...update, changes: { email: other.email }, emailOrdinal: 1 })
      .then(customerUpdated(other));
    given(customerCreated(), customerUpdated(other))
      .when(taken(1, msLater(3_000)))
      .thenNothing();
  });

  it('is nothing to a customer who was deleted', () => {
    given(customerCreated(), customerDeleted()).when(signed('a@example.com', first)).thenNothing();
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

  it.each([wait, approve, reject])('stays APPROVED for good, whatever comes: $kycStatus', (command) =>
    given(created, pending, customerStatusChanged('APPROVED')).when(command).thenNothing(),
  );

  it('is not repeated', () => given(created, pending).when(wait).thenNothing());

  it('names the wallet of an individual', () =>
    given(customerCreated({ kycStatus: 'PENDING', walletCurrency: 'USDB' }))
      .when(approve)
      .then(customerStatusChanged('APPROVED', { customerType: 'INDIVIDUAL', walletCurrency: 'USDB' })));

  it('is refused where there is no customer', () => given().when(approve).thenRejected('USER_NOT_FOUND'));

  it('cannot have changed before there was a customer', () => {
    expect(() => stateOf(customer, pending)).toThrow(InvariantViolation);
  });
});

const update = (changes: CustomerChanges) =>
  ({ type: 'UpdateCustomer', changes, claim: 'claim-1', at: testStart }) as const;
const address = { line1: '1 Main Street', postalCode: '12345', country: 'GB' };

describe('an update of a customer', () => {
  it('names what it changes and nothing else', () =>
    given(customerCreated({ fullName: 'Ada', email: 'ada@example.com' }))
      .when(update({ fullName: 'Ada Lovelace', email: 'ada@example.com' }))
      .then(customerUpdated({ fullName: 'Ada Lovelace' })));

  it.each<CustomerChanges>([
    {},
    { fullName: undefined },
    { currencies: ['USD'], umaAddress: '$ada@pay.example' },
  ])('is none where nothing is new: %j', (changes) =>
    given(customerCreated()).when(update(changes)).thenNothing(),
  );

  it('takes a new address and gives up the old one', () => {
    const taken = [{ reservation: paymentAddressStream('$ada2@pay.example'), claim: 'claim-1' }];
    const released = [{ reservation: paymentAddressStream('$ada@pay.example') }];
    const changed = customerUpdated({ umaAddress: '$ada2@pay.example', taken, released });
    given(customerCreated())
      .when(update({ umaAddress: '$ada2@pay.example' }))
      .then(changed);
    const again = { ...update({ umaAddress: '$ada@pay.example' }), claim: 'claim-2' };
    given(customerCreated(), changed)
      .when(again)
      .then(
        customerUpdated({
          umaAddress: '$ada@pay.example',
          taken: [{ reservation: paymentAddressStream('$ada@pay.example'), claim: 'claim-2' }],
          released: taken,
        }),
      );
  });

  it('opens accounts for currencies that the customer never had', () => {
    const opened = { currencies: ['EUR'], status: 'ACTIVE' as const };
    const toEuro = customerUpdated({ currencies: ['EUR'], opened });
    given(customerCreated())
      .when(update({ currencies: ['EUR'] }))
      .then(toEuro);
    given(customerCreated(), toEuro)
      .when(update({ currencies: ['USD', 'EUR'] }))
      .then(customerUpdated({ currencies: ['USD', 'EUR'] }));
  });

  it('opens them as PENDING until the customer is approved', () =>
    given(customerCreated({ kycStatus: 'PENDING' }))
      .when(update({ currencies: ['USD', 'EUR'] }))
      .then(
        customerUpdated({
          currencies: ['USD', 'EUR'],
          opened: { currencies: ['EUR'], status: 'PENDING' },
        }),
      ));

  it('merges address and businessInfo field by field', () => {
    given(customerCreated({ address }))
      .when(update({ address: { city: 'London', line1: '2 Main Street' } }))
      .then(customerUpdated({ address: { ...address, city: 'London', line1: '2 Main Street' } }));
    given(customerCreated(businessDetails()))
      .when(update({ businessInfo: { taxId: '98' } }))
      .then(customerUpdated({ businessInfo: { ...businessInfo, taxId: '98' } }));
  });

  it('takes a first address only in full', () => {
    given(customerCreated()).when(update({ address })).then(customerUpdated({ address }));
    const message = 'is required where the customer has no address yet';
    const errors = ['address.line1', 'address.country'].map((field) => ({ field, message }));
    given(customerCreated())
      .when(update({ address: { postalCode: '1' } }))
      .thenRejected('INVALID_INPUT', { errors });
  });

  it('is refused where there is no customer any more', () => {
    given().when(update({})).thenRejected('USER_NOT_FOUND');
    given(customerCreated(), customerDeleted()).when(update({})).thenRejected('CUSTOMER_DELETED');
  });
});

describe('the deletion of a customer', () => {
  const remove = { type: 'DeleteCustomer', deletion: 1, at: testStart } as const;

  const begin = { type: 'BeginDeletion', at: testStart } as const;
  const abandon = { type: 'AbandonDeletion', deletion: 1, at: testStart } as const;
  const opened = customerUpdated({ currencies: ['EUR'], opened: { currencies: ['EUR'], status: 'ACTIVE' } });

  it('begins once, however many ask', () => {
    given(customerCreated()).when(begin).then(deletionBegun());
    given(customerCreated(), deletionBegun()).when(begin).thenNothing();
    given(customerCreated(), customerDeleted()).when(begin).thenRejected('CUSTOMER_DELETED');
  });

  it('shows nothing before it is done', () => {
    const { updatedAt, status } = stateOf(customer, customerCreated()) as KnownCustomer;
    expect(stateOf(customer, customerCreated(), deletionBegun())).toMatchObject({ updatedAt, status });
  });

  it('gives up the names', () =>
    given(customerCreated(), deletionBegun()).when(remove).then(customerDeleted()));

  it('names every currency that the customer ever had, and the wallet', () =>
    given(customerCreated({ walletCurrency: 'USDB' }), opened, deletionBegun())
      .when(remove)
      .then(customerDeleted({ heldCurrencies: ['USD', 'EUR'], walletCurrency: 'USDB' })));

  it('is abandoned once, and not done after that', () => {
    given(customerCreated(), deletionBegun()).when(abandon).then(deletionAbandoned());
    given(customerCreated(), deletionBegun(), deletionAbandoned()).when(abandon).thenNothing();
    given(customerCreated(), deletionBegun(), deletionAbandoned()).when(remove).thenNothing();
  });

  it('is not abandoned once it is done', () =>
    given(customerCreated(), deletionBegun(), customerDeleted()).when(abandon).thenNothing());

  it('is another one when it begins again', () => {
    const again = [customerCreated(), deletionBegun(), deletionAbandoned(), deletionBegun(2)];
    given(...again.slice(0, 3))
      .when(begin)
      .then(deletionBegun(2));
    for (const late of [abandon, remove])
      given(...again)
        .when(late)
        .thenNothing();
    given(...again)
      .when({ ...remove, deletion: 2 })
      .then(customerDeleted());
  });

  it('is not done where nobody has begun it, or where an account was opened meanwhile', () => {
    given(customerCreated()).when(remove).thenNothing();
    given(customerCreated(), deletionBegun(), opened).when(remove).thenNothing();
  });

  it('happens once', () => {
    given().when(remove).thenRejected('USER_NOT_FOUND');
    given(customerCreated(), customerDeleted()).when(remove).thenRejected('CUSTOMER_DELETED');
  });

  it('ends the verification', () =>
    given(customerCreated({ kycStatus: 'PENDING' }), customerDeleted())
      .when({ type: 'ChangeCustomerStatus', kycStatus: 'APPROVED', at: testStart })
      .thenNothing());
});
