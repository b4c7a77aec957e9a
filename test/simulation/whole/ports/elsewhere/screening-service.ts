/** The screening as a service that Daybook asks over HTTP, and that posts its verdicts to Daybook. */
import { z } from 'zod';
import type { OwnScreening } from '../../../../../src/app/parts/screening.ts';
import type { Finding, Verdict } from '../../../../../src/domain/ports/screening.ts';
import type { CustomerId } from '../../../../../src/kernel/ids.ts';
import { httpScreening } from '../../../../../src/outside/http-screening.ts';
import type { SimulatedProcess } from '../../engine/process.ts';
import { type Desk, findingOfOwner, type Way } from '../screening.ts';
import { screening as known } from './addresses.ts';
import { type AnswerAndOther, type Elsewhere, signedService } from './signed-service.ts';

const personalInfo = z.object({ firstName: z.string(), lastName: z.string() });
const question = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('customer.screen'),
    verificationId: z.string(),
    customer: z.object({ customerId: z.string() }),
    owners: z.array(z.object({ beneficialOwnerId: z.string() })),
  }),
  z.object({ type: z.literal('owner.screen'), owner: z.object({ personalInfo }) }),
]);

type Deps = Elsewhere & {
  /** In place of the connector of a process. */
  readonly changed: (original: OwnScreening) => OwnScreening;
};

export const screeningService =
  (deps: Deps) =>
  (desk: Desk): Way => {
    const { faults, now, newId, changed } = deps;
    const find = (process: SimulatedProcess, text: string): Promise<Finding | undefined> => {
      const asked = question.parse(JSON.parse(text));
      if (asked.type === 'owner.screen')
        return desk.question({ process, ask: () => findingOfOwner(asked.owner.personalInfo) });
      const { verificationId, customer, owners } = asked;
      const shown = {
        customerId: customer.customerId as CustomerId,
        owners: owners.map(({ beneficialOwnerId }) => beneficialOwnerId),
      };
      return desk.question({
        process,
        ask: (at) => desk.customer(verificationId, { ...shown, at }),
      });
    };
    const answer = async (process: SimulatedProcess, text: string): Promise<AnswerAndOther> => {
      const finding = (await find(process, text)) ?? 'IN_PROGRESS';
      return [{ finding }, { finding: finding === 'APPROVED' ? 'REJECTED' : 'APPROVED' }];
    };
    const { complain } = desk;
    const service = signedService(deps, { ...known, party: 'screening', answer, unreadable, complain });

    const verdictEvent = (verificationId: string, verdict: Verdict) => ({
      type: 'verification.decided',
      verificationId,
      verdict,
    });
    /** Posts what no process may take. */
    const bother = async (verificationId: string, verdict: Verdict): Promise<void> => {
      const other = verdictEvent(verificationId, verdict === 'APPROVED' ? 'REJECTED' : 'APPROVED');
      if (faults.strikes('verdict that the screening has not signed')) await service.sendUnsigned(other);
      if (faults.strikes('verdict that nobody can read'))
        await service.sendUnreadable({ ...other, verdict: 'PENDING' });
    };
    const { url, places } = service;
    return {
      places,
      of: () =>
        changed((reports) =>
          httpScreening({ url, secret: known.secret }, { reports, newId, now: () => new Date(now()) }),
        ),
      async tell(verificationId, verdict) {
        await bother(verificationId, verdict);
        const status = await service.send(verdictEvent(verificationId, verdict));
        if (status === 404) return 'unknown';
        return status === 200 ? 'decided' : undefined;
      },
    };
  };

const unreadable = [
  '',
  'APPROVED',
  '{"finding":"APPROVED"',
  '{"finding":"FINE"}',
  '["APPROVED"]',
  '<p>APPROVED</p>',
];
