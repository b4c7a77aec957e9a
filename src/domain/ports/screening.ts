/** Who checks customers and owners, as a port. */
import type { PlatformId } from '../../kernel/ids.ts';
import type { KnownCustomer } from '../customers/customer.ts';

export type Finding = 'PENDING' | 'APPROVED' | 'REJECTED';

export type Screening = {
  /** What the check of a customer comes to at once; `undefined` where it needs complete data, and takes its time. */
  readonly customer: (customer: KnownCustomer) => Finding | undefined;
  readonly owner: (lastName: string) => Finding;
};

/** Who checks the customers of a platform. */
export type ScreeningOf = (platformId: PlatformId) => Promise<Screening>;

/** Outside the sandbox nobody is connected yet: every check stays open. */
export const noScreening: Screening = { customer: () => undefined, owner: () => 'PENDING' };
