/**
 * A screening as a module: everybody on a list is refused, and an operator decides about everybody else. Start with
 * DAYBOOK_SCREENING=./docs/examples/my-screening.ts DAYBOOK_SCREENING_REFUSED='Mallory,Eve'.
 */
import { defineScreening } from '../../src/domain/ports/screening.ts';

export default defineScreening(({ settings }) => {
  const refused = new Set((settings.REFUSED ?? '').split(',').filter(Boolean));
  return {
    async customer({ customer, owners }) {
      const names = [
        customer.fullName ?? '',
        customer.businessInfo?.legalName ?? '',
        ...owners.map(({ personalInfo }) => personalInfo.lastName),
      ];
      return names.some((name) => refused.has(name)) ? 'REJECTED' : 'PENDING';
    },
    owner: async ({ personalInfo }) => (refused.has(personalInfo.lastName) ? 'REJECTED' : 'PENDING'),
  };
});
