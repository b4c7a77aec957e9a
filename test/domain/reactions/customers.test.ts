import { describe, expect, it } from 'vitest';
import { customerReaction } from '../../../src/domain/reactions/customers.ts';
import {
  paymentAddressStream,
  platformCustomerStream,
} from '../../../src/domain/reservations/reservation.ts';
import { derivedUuid, idOf } from '../../../src/kernel/ids.ts';
import { accountOpened } from '../../support/builders/accounts.ts';
import {
  customerCreated,
  customerDeleted,
  customerStatusChanged,
  customerUpdated,
  deletionAbandoned,
  platformCreated,
} from '../../support/builders/customers.ts';
import { customerId, platformId } from '../../support/builders/identities.ts';
import { recorded } from '../../support/log/domain-events.ts';
import { testStart } from '../../support/time/clock.ts';
import { uuidNumber } from '../../support/values/ids.ts';

const instructions = (overrides: Parameters<typeof customerCreated>[0] = {}) =>
  customerReaction(recorded(customerCreated(overrides)));
const openings = (overrides: Parameters<typeof customerCreated>[0]) =>
  instructions(overrides).flatMap(({ command }) => (command.type === 'OpenAccount' ? [command] : []));

describe('the customer policy', () => {
  it('confirms both names of a new customer', () => {
    const command = { type: 'ConfirmReservation', holder: customerId, at: testStart };
    expect(instructions().slice(0, 2)).toStrictEqual([
      { to: 'reservation', uuid: paymentAddressStream('$ada@pay.example'), command },
      { to: 'reservation', uuid: platformCustomerStream(platformId, 'user-1'), command },
    ]);
  });

  it('opens an account under an id that follows from customer, type and currency', () => {
    const uuid = derivedUuid('internal-account', customerId, 'INTERNAL_FIAT', 'USD');
    const opening = { platformId, accountId: idOf('InternalAccount', uuid), customerId, at: testStart };
    const terms = { accountType: 'INTERNAL_FIAT', currency: 'USD', status: 'ACTIVE' };
    expect(instructions().slice(2)).toStrictEqual([
      { to: 'account', uuid, command: { type: 'OpenAccount', ...opening, ...terms } },
    ]);
  });

  it('has the accounts go on where a deletion is abandoned', () => {
    const abandoned = deletionAbandoned({ heldCurrencies: ['USD', 'EUR'], walletCurrency: 'USDB' });
    const command = { type: 'LiftHalt', deletion: 1, at: testStart };
    const uuids = [
      ['INTERNAL_FIAT', 'USD'],
      ['INTERNAL_FIAT', 'EUR'],
      ['EMBEDDED_WALLET', 'USDB'],
    ].map(([type = '', currency = '']) => derivedUuid('internal-account', customerId, type, currency));
    expect(customerReaction(recorded(abandoned))).toStrictEqual(
      uuids.map((uuid) => ({ to: 'account', uuid, command })),
    );
  });

  it('opens one account per currency, and a wallet where the platform has one', () => {
    const opened = openings({ currencies: ['EUR', 'USDC', 'EUR', 'BTC'], walletCurrency: 'USDB' });
    expect(opened.map(({ accountType, currency }) => [accountType, currency])).toEqual([
      ['INTERNAL_FIAT', 'EUR'],
      ['INTERNAL_CRYPTO', 'USDC'],
      ['INTERNAL_CRYPTO', 'BTC'],
      ['EMBEDDED_WALLET', 'USDB'],
    ]);
  });

  it('opens the wallet beside an account in the same currency', () => {
    const opened = openings({ currencies: ['USDB'], walletCurrency: 'USDB' });
    expect(new Set(opened.map(({ accountId }) => accountId)).size).toBe(2);
  });

  it.each([
    ['APPROVED', 'ACTIVE'],
    ['PENDING', 'PENDING'],
    ['REJECTED', 'PENDING'],
    ['UNVERIFIED', 'PENDING'],
  ] as const)('opens the accounts of a customer who is %s as %s', (kycStatus, expected) => {
    const opened = openings({ kycStatus, walletCurrency: 'USDB' });
    expect(opened.map(({ status }) => status)).toEqual([expected, expected]);
  });

  it('opens the accounts of a customer who is approved, and makes them active where they are open', () => {
    const changed = customerStatusChanged('APPROVED', {
      heldCurrencies: ['USD', 'EUR'],
      walletCurrency: 'USDB',
    });
    const commands = customerReaction(recorded(changed)).map(({ command }) =>
      'status' in command ? [command.type, command.status] : [command.type],
    );
    const each = [
      ['OpenAccount', 'ACTIVE'],
      ['ChangeAccountStatus', 'ACTIVE'],
    ];
    expect(commands).toEqual([...each, ...each, ...each]);
  });

  it('follows an update: names taken, names given up, new accounts', () => {
    const [taken, released] = [{ reservation: uuidNumber(1), claim: 'c' }, { reservation: uuidNumber(2) }];
    const opened = { currencies: ['EUR'], status: 'PENDING' as const };
    const updated = customerUpdated({ taken: [taken], released: [released], opened });
    const told = customerReaction(recorded(updated)).map(({ to, uuid, command }) => [to, uuid, command]);
    const holder = { holder: customerId, at: testStart };
    expect(told.slice(0, 2)).toEqual([
      ['reservation', uuidNumber(1), { type: 'ConfirmReservation', claim: 'c', ...holder }],
      ['reservation', uuidNumber(2), { type: 'ReleaseName', ...holder }],
    ]);
    expect(told[2]?.at(-1)).toMatchObject({ type: 'OpenAccount', currency: 'EUR', status: 'PENDING' });
  });

  it('releases the names and closes the accounts of a customer who is deleted', () => {
    const commands = customerReaction(recorded(customerDeleted())).map(({ command }) => command.type);
    expect(commands).toEqual(['ReleaseName', 'ReleaseName', 'OpenAccount', 'ChangeAccountStatus']);
  });

  it.each(['PENDING', 'REJECTED'] as const)('leaves the accounts of a customer who is %s alone', (status) => {
    expect(customerReaction(recorded(customerStatusChanged(status)))).toEqual([]);
  });

  it('says the same every time', () => expect(instructions()).toStrictEqual(instructions()));

  it.each([platformCreated(), accountOpened()])('makes nothing of $type', (event) => {
    expect(customerReaction(recorded(event))).toEqual([]);
  });
});
