/** A customer of a platform: who money is moved for. Created once; a repeated creation changes nothing. */
import type { Decider } from '../infrastructure/commands/decider.ts';
import { Rejected } from '../infrastructure/commands/rejected.ts';
import { invariant } from '../infrastructure/invariant.ts';
import type { CustomerEvent, KycStatus } from './events.ts';

export type CustomerDetails = Extract<CustomerEvent, { type: 'CustomerCreated' }>['data'];

export type CustomerCommand =
  | { readonly type: 'CreateCustomer'; readonly details: CustomerDetails }
  /** What a verification has come to. */
  | {
      readonly type: 'ChangeCustomerStatus';
      readonly kycStatus: Exclude<KycStatus, 'UNVERIFIED'>;
      readonly at: Date;
    };

export type ActiveCustomer = CustomerDetails & {
  readonly status: 'active';
  readonly updatedAt: Date;
};
export type Customer = { readonly status: 'none' } | ActiveCustomer;

export const customer: Decider<Customer, CustomerCommand, CustomerEvent> = {
  initial: { status: 'none' },

  decide(command, state) {
    switch (command.type) {
      case 'CreateCustomer':
        return state.status === 'none' ? [{ type: 'CustomerCreated', data: command.details }] : [];
      case 'ChangeCustomerStatus': {
        if (state.status === 'none') throw customerNotFound();
        const { kycStatus, at } = command;
        return statusesOnTheWay(state.kycStatus, kycStatus).map((entered) =>
          statusChanged(state, entered, at),
        );
      }
    }
  },

  evolve(state, event) {
    if (event.type === 'CustomerCreated') {
      invariant(state.status === 'none', 'a customer created twice');
      return { ...event.data, status: 'active', updatedAt: event.data.at };
    }
    invariant(state.status !== 'none', `${event.type} before the customer was created`);
    const { kycStatus, at } = event.data;
    return { ...state, kycStatus, updatedAt: at };
  },
};

/** Completion 4: UNVERIFIED, PENDING, then APPROVED or REJECTED for good. None is left out. */
function statusesOnTheWay(from: KycStatus, to: KycStatus): readonly KycStatus[] {
  if (from === 'UNVERIFIED') return to === 'PENDING' ? [to] : ['PENDING', to];
  return from === 'PENDING' && to !== 'PENDING' ? [to] : [];
}

function statusChanged(
  { platformId, customerId, customerType, currencies: heldCurrencies, walletCurrency }: ActiveCustomer,
  kycStatus: KycStatus,
  at: Date,
): CustomerEvent {
  const wallet = walletCurrency === undefined ? {} : { walletCurrency };
  return {
    type: 'CustomerStatusChanged',
    data: { platformId, customerId, customerType, kycStatus, heldCurrencies, ...wallet, at },
  };
}

export const customerNotFound = () =>
  new Rejected('USER_NOT_FOUND', 'There is no such customer.', { resource: 'Customer' });
