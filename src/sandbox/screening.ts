/** The sandbox's checks of customers and owners: the suffix of a name or number decides, at once. */
import type { BoundedScreening } from '../use-cases/customers/bounded-screening.ts';
import { screeningOutcomeOf } from './outcomes.ts';

export const sandboxScreening: BoundedScreening = {
  customer: async ({ customer: { customerType, businessInfo } }) =>
    customerType === 'BUSINESS' ? screeningOutcomeOf(businessInfo?.registrationNumber ?? '') : 'APPROVED',
  owner: async ({ personalInfo: { lastName } }) => screeningOutcomeOf(lastName),
};
