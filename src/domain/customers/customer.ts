/**
 * A customer of a platform: who money is moved for. Created once; a repeated creation changes nothing. Deleting keeps
 * its history and gives its names back; nothing about it changes any more after that.
 */
import type { Decider } from '../../kernel/decider.ts';
import type { CustomerId } from '../../kernel/ids.ts';
import { InvariantViolation, invariant } from '../../kernel/invariant.ts';
import { Rejected } from '../../kernel/rejected.ts';
import { paymentAddressStream } from '../reservations/reservation.ts';
import { statusOfNewAccount } from './account-status.ts';
import { type CustomerChanges, changedFields } from './changes.ts';
import type { CustomerEvent, HeldName, KycStatus } from './events.ts';
import { firstNames, overtaken } from './names.ts';

export type CustomerDetails = Extract<CustomerEvent, { type: 'CustomerCreated' }>['data'];

type At = { readonly at: Date };
export type CustomerCommand =
  | { readonly type: 'CreateCustomer'; readonly details: CustomerDetails }
  /** What a verification has come to. */
  | ({ readonly type: 'ChangeCustomerStatus'; readonly kycStatus: Exclude<KycStatus, 'UNVERIFIED'> } & At)
  /** New names among the changes have been reserved under the claim. */
  | ({
      readonly type: 'UpdateCustomer';
      readonly changes: CustomerChanges;
      readonly claim: string;
      /** How many changes of e-mail address the customer's wallet had signed before. */
      readonly emailOrdinal?: number | undefined;
    } & At)
  /** The wallet's customer has signed for it; an address that is newer stays. The wallet counts what it signs. */
  | ({ readonly type: 'TakeSignedEmail'; readonly email: string; readonly ordinal?: number | undefined } & At)
  /** Sees to it that nothing comes of a claim any more, unless the customer has its name under it. */
  | ({ readonly type: 'EndClaim'; readonly customerId: CustomerId } & HeldName & At)
  /** Changes nothing where a deletion is under way, which whoever asks then takes part in. */
  | ({ readonly type: 'BeginDeletion' } & At)
  /** Changes nothing unless this deletion is under way: of its two ends the first counts. */
  | ({ readonly type: 'AbandonDeletion' | 'DeleteCustomer'; readonly deletion: number } & At)
  /** Of a deleted customer: what the log has of the person can be read no more. Safe to repeat. */
  | ({ readonly type: 'EraseCustomer' } & At);

export type Deletion = {
  readonly n: number;
  readonly isUnderWay: boolean;
  /** How many currencies the customer had accounts in when it began. */
  readonly currencies: number;
};

export type KnownCustomer = CustomerDetails & {
  readonly status: 'active' | 'deleted';
  /** Every currency that the customer has an account in, also one that it has given up. */
  readonly heldCurrencies: string[];
  readonly names: { readonly umaAddress: HeldName; readonly platformCustomerId: HeldName };
  /** When the e-mail address was given. */
  readonly emailAsOf: Date;
  /** It is newer than so many changes that the customer's wallet has signed. */
  readonly emailOrdinal: number;
  readonly updatedAt: Date;
  /** The last one that was begun. */
  readonly deletion?: Deletion;
  /** No name is taken under these any more. */
  readonly endedClaims?: ReadonlySet<string>;
  readonly erasedAt?: Date;
};
export type Customer = { readonly status: 'none'; readonly isEnded?: true } | KnownCustomer;

export const customer: Decider<Customer, CustomerCommand, CustomerEvent> = {
  initial: { status: 'none' },

  decide(command, state) {
    if (command.type === 'CreateCustomer') return create(command.details, state);
    if (command.type === 'EndClaim') return endClaim(command, state);
    if (state.status === 'none') throw customerNotFound();
    const { at } = command;
    switch (command.type) {
      case 'ChangeCustomerStatus': {
        if (state.status === 'deleted') return [];
        const entered = statusesOnTheWay(state.kycStatus, command.kycStatus);
        return entered.map((kycStatus) => statusChanged(state, kycStatus, at));
      }
      case 'UpdateCustomer':
        if (state.status === 'deleted') throw customerDeleted();
        return update(state, command);
      case 'TakeSignedEmail':
        if (state.status === 'deleted' || !isNewer(command, state)) return [];
        return update(state, {
          changes: { email: command.email },
          claim: '',
          emailOrdinal: command.ordinal,
          at,
        });
      case 'BeginDeletion': {
        if (state.status === 'deleted') throw customerDeleted();
        if (state.deletion?.isUnderWay) return [];
        const { platformId, customerId } = state;
        const deletion = (state.deletion?.n ?? 0) + 1;
        return [{ type: 'DeletionBegun', data: { platformId, customerId, deletion, at } }];
      }
      case 'AbandonDeletion': {
        const { customerId } = state;
        const { deletion } = command;
        if (state.status === 'deleted' || !isUnderWay(state, deletion)) return [];
        return [{ type: 'DeletionAbandoned', data: { customerId, deletion, ...holdingsOf(state), at } }];
      }
      case 'DeleteCustomer': {
        if (state.status === 'deleted') throw customerDeleted();
        // An account that was opened meanwhile is not halted.
        const isWhole = state.deletion?.currencies === state.heldCurrencies.length;
        if (!isUnderWay(state, command.deletion) || !isWhole) return [];
        const released = Object.values(state.names);
        const { customerId } = state;
        return [{ type: 'CustomerDeleted', data: { customerId, released, ...holdingsOf(state), at } }];
      }
      case 'EraseCustomer': {
        const { platformId, customerId } = state;
        invariant(state.status === 'deleted', 'a customer is erased who is not deleted');
        return state.erasedAt ? [] : [{ type: 'CustomerErased', data: { platformId, customerId, at } }];
      }
    }
  },

  evolve(state, event) {
    if (event.type === 'CustomerClaimEnded' && state.status === 'none') return { ...state, isEnded: true };
    if (event.type === 'CustomerCreated') {
      invariant(state.status === 'none', 'a customer created twice');
      const { data } = event;
      const { currencies: heldCurrencies, at } = data;
      const names = firstNames(data);
      return {
        ...data,
        status: 'active',
        heldCurrencies,
        names,
        emailAsOf: at,
        emailOrdinal: 0,
        updatedAt: at,
      };
    }
    if (event.type === 'CustomerErased' && state.status === 'deleted') {
      const { at } = event.data;
      return { ...state, erasedAt: at, updatedAt: at };
    }
    invariant(state.status === 'active', `${event.type} of a customer who is ${state.status}`);
    const { at: updatedAt } = event.data;
    switch (event.type) {
      case 'CustomerStatusChanged':
        return { ...state, kycStatus: event.data.kycStatus, updatedAt };
      case 'CustomerUpdated': {
        const { taken, released: _gone, opened, at: _at, ...fields } = event.data;
        const { umaAddress, currencies, emailOrdinal, ...profile } = fields;
        return {
          ...state,
          ...profile,
          ...(umaAddress !== undefined && { umaAddress }),
          ...(currencies && { currencies }),
          names: { ...state.names, umaAddress: taken[0] ?? state.names.umaAddress },
          ...(profile.email !== undefined && { emailAsOf: updatedAt }),
          ...(emailOrdinal !== undefined && { emailOrdinal }),
          heldCurrencies: [...state.heldCurrencies, ...(opened?.currencies ?? [])],
          updatedAt,
        };
      }
      case 'CustomerClaimEnded': {
        const { claim = '' } = event.data;
        return { ...state, endedClaims: new Set([...(state.endedClaims ?? []), claim]) };
      }
      case 'DeletionBegun':
      case 'DeletionAbandoned': {
        const isUnderWay = event.type === 'DeletionBegun';
        const currencies = state.heldCurrencies.length;
        return { ...state, deletion: { n: event.data.deletion, isUnderWay, currencies } };
      }
      case 'CustomerDeleted':
        return { ...state, status: 'deleted', updatedAt };
      case 'CustomerErased':
        throw new InvariantViolation('a customer was erased who is not deleted');
    }
  },
};

const isUnderWay = ({ deletion }: KnownCustomer, n: number): boolean =>
  deletion?.n === n && deletion.isUnderWay;

function create(details: CustomerDetails, state: Customer): readonly CustomerEvent[] {
  if (state.status !== 'none') return [];
  if (state.isEnded) throw overtaken(details.umaAddress);
  return [{ type: 'CustomerCreated', data: details }];
}

function endClaim(
  { customerId, reservation, claim, at }: Extract<CustomerCommand, { type: 'EndClaim' }>,
  state: Customer,
): readonly CustomerEvent[] {
  if (hasEnded(state, { reservation, claim }) || isHeldBy(state, { reservation, claim })) return [];
  return [{ type: 'CustomerClaimEnded', data: { customerId, ...(claim !== undefined && { claim }), at } }];
}

/** Whether the customer has the name under this claim. */
export const isHeldBy = (state: Customer, { reservation, claim }: HeldName): boolean =>
  state.status === 'active' &&
  Object.values(state.names).some((name) => name.reservation === reservation && name.claim === claim);

/** Whether the customer can take no name under the claim any more. */
export function hasEnded(state: Customer, name: HeldName): boolean {
  if (state.status === 'none') return state.isEnded === true;
  if (isHeldBy(state, name)) return false;
  return (
    state.status === 'deleted' || name.claim === undefined || state.endedClaims?.has(name.claim) === true
  );
}

function update(
  state: KnownCustomer,
  { changes, claim, emailOrdinal, at }: Omit<Extract<CustomerCommand, { type: 'UpdateCustomer' }>, 'type'>,
): readonly CustomerEvent[] {
  const { platformId, customerId } = state;
  const fields = changedFields(state, changes);
  if (Object.keys(fields).length === 0) return [];
  const { umaAddress, currencies = [] } = fields;
  const added = currencies.filter((code) => !state.heldCurrencies.includes(code));
  const status = statusOfNewAccount(state.kycStatus);
  const opened = added.length > 0 ? { opened: { currencies: added, status } as const } : {};
  if (umaAddress !== undefined && state.endedClaims?.has(claim)) throw overtaken(umaAddress);
  const taken = umaAddress === undefined ? [] : [{ reservation: paymentAddressStream(umaAddress), claim }];
  const released = umaAddress === undefined ? [] : [state.names.umaAddress];
  const since = fields.email === undefined || emailOrdinal === undefined ? {} : { emailOrdinal };
  return [
    {
      type: 'CustomerUpdated',
      data: { platformId, customerId, ...fields, ...since, taken, released, ...opened, at },
    },
  ];
}

/** By the wallet's own count; by time where it had none yet. */
const isNewer = (
  { ordinal, at }: Extract<CustomerCommand, { type: 'TakeSignedEmail' }>,
  { emailOrdinal, emailAsOf }: KnownCustomer,
): boolean => (ordinal === undefined ? at > emailAsOf : ordinal > emailOrdinal);

/** UNVERIFIED, PENDING, then APPROVED or REJECTED for good. None is left out. */
function statusesOnTheWay(from: KycStatus, to: KycStatus): readonly KycStatus[] {
  if (from === 'UNVERIFIED') return to === 'PENDING' ? [to] : ['PENDING', to];
  return from === 'PENDING' && to !== 'PENDING' ? [to] : [];
}

function statusChanged(state: KnownCustomer, kycStatus: KycStatus, at: Date): CustomerEvent {
  const { customerId, customerType } = state;
  return {
    type: 'CustomerStatusChanged',
    data: { customerId, customerType, kycStatus, ...holdingsOf(state), at },
  };
}

const holdingsOf = ({ platformId, heldCurrencies, walletCurrency }: KnownCustomer) => ({
  platformId,
  heldCurrencies,
  ...(walletCurrency !== undefined && { walletCurrency }),
});

export const customerNotFound = () =>
  new Rejected('USER_NOT_FOUND', 'There is no such customer.', { resource: 'Customer' });

export const customerDeleted = () => new Rejected('CUSTOMER_DELETED', 'The customer has been deleted.');

/** Throws `Rejected` for a customer who can be read and nothing else. */
export function requireNotDeleted({ status }: KnownCustomer): void {
  if (status === 'deleted') throw customerDeleted();
}
