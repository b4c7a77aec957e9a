/** The sandbox's checks of customers and owners: the suffix of a name or number decides, at once. */
import type { Screening } from '../domain/ports/screening.ts';
import { screeningOutcomeOf } from './outcomes.ts';

export const sandboxScreening: Screening = {
  customer: ({ customerType, businessInfo }) =>
    customerType === 'BUSINESS' ? screeningOutcomeOf(businessInfo?.registrationNumber ?? '') : 'APPROVED',
  owner: screeningOutcomeOf,
};
