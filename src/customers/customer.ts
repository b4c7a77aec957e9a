/** A customer of a platform: who money is moved for. Created once; a repeated creation changes nothing. */
import type { Decider } from '../infrastructure/commands/decider.ts';
import { invariant } from '../infrastructure/invariant.ts';
import type { CustomerEvent } from './events.ts';

export type CustomerDetails = Extract<CustomerEvent, { type: 'CustomerCreated' }>['data'];

export type CustomerCommand = { readonly type: 'CreateCustomer'; readonly details: CustomerDetails };

export type ActiveCustomer = CustomerDetails & { readonly status: 'active'; readonly updatedAt: Date };
export type Customer = { readonly status: 'none' } | ActiveCustomer;

export const customer: Decider<Customer, CustomerCommand, CustomerEvent> = {
  initial: { status: 'none' },

  decide({ details }, state) {
    if (state.status !== 'none') return [];
    return [{ type: 'CustomerCreated', data: details }];
  },

  evolve(state, event) {
    invariant(state.status === 'none', 'a customer created twice');
    return { ...event.data, status: 'active', updatedAt: event.data.at };
  },
};
