/** Checks of customers and owners: what was found, and what the log says of it. */
import { customer } from '../../../../src/domain/customers/customer.ts';
import type { OwnerEvent, VerificationEvent } from '../../../../src/domain/verification/events.ts';
import { beneficialOwner } from '../../../../src/domain/verification/owner.ts';
import { verification } from '../../../../src/domain/verification/verification.ts';
import { uuidOf } from '../../../../src/kernel/ids.ts';
import { decides } from '../client.ts';
import { findingOfOwner } from '../ports/screening.ts';
import type { Known, Rule } from './rules.ts';
import { statesIn } from './states.ts';

const isEnd = (status: string): boolean => status === 'APPROVED' || status === 'REJECTED';

const verificationsIn = (known: Known) =>
  [...statesIn(known, 'verification', verification).values()].flatMap((state) =>
    state.status === 'assessed' ? [state] : [],
  );
const statusOf = (known: Known, verificationId: string) =>
  verificationsIn(known).find((one) => one.verificationId === verificationId)?.verificationStatus ?? 'none';

const ownersIn = (known: Known) =>
  [...statesIn(known, 'beneficialowner', beneficialOwner).values()].flatMap((state) =>
    state.status === 'known' ? [state] : [],
  );

/** Where in the log it was last said how far the check of an owner is. */
function lastCheckIn({ finished }: Known, owner: string): bigint {
  const said = finished.filter(
    ({ type, data }) =>
      type.startsWith('BeneficialOwner') &&
      (data as OwnerEvent['data']).beneficialOwnerId === owner &&
      'kycStatus' in data,
  );
  return said.at(-1)?.position ?? -1n;
}

export const ofTheScreening: Readonly<Record<string, Rule>> = {
  *'a verification ends once'({ finished }) {
    const ended = new Map<string, string>();
    for (const { stream, type, data } of finished) {
      if (type !== 'VerificationAssessed') continue;
      const { verificationStatus } = data as VerificationEvent['data'];
      const before = ended.get(stream);
      if (before !== undefined) yield `${stream}: ${verificationStatus} after ${before}`;
      if (isEnd(verificationStatus)) ended.set(stream, verificationStatus);
    }
  },

  *'a verification ends as the screening has said'(known) {
    for (const { verificationId, verificationStatus } of verificationsIn(known)) {
      const verdicts = known.screening.told.filter((one) => one.verificationId === verificationId);
      const said = [known.screening.findingOf(verificationId), ...verdicts.map(({ verdict }) => verdict)];
      if (isEnd(verificationStatus) && !said.some((one) => one === verificationStatus))
        yield `${verificationId}: ${verificationStatus} for ${said}`;
    }
  },

  *'a verdict that was taken is in the log'(known) {
    for (const { verificationId, verdict, from, answer } of known.screening.told) {
      const status = statusOf(known.at(from), verificationId);
      if (answer === 'recorded' ? status !== verdict : answer === 'unchanged' && !isEnd(status))
        yield `${verificationId}: ${verdict} was ${answer}, and it is ${status}`;
    }
  },

  *'a customer is what its verification has come to'(known) {
    const customers = statesIn(known, 'customer', customer);
    for (const { customerId, verificationStatus } of verificationsIn(known)) {
      const found = customers.get(`customer-${uuidOf(customerId)}`);
      const status = found?.status === 'active' ? found.kycStatus : verificationStatus;
      if (isEnd(verificationStatus) && status !== verificationStatus)
        yield `${customerId}: ${status} for ${verificationStatus}`;
    }
  },

  *'an owner is what was found of who it is'(known) {
    const decided = new Set<string>(
      verificationsIn(known).flatMap(({ customerId, verificationStatus }) =>
        isEnd(verificationStatus) ? [`${customerId} ${verificationStatus}`] : [],
      ),
    );
    for (const { beneficialOwnerId, customerId, personalInfo, kycStatus } of ownersIn(known)) {
      const found = findingOfOwner(personalInfo);
      const isDecided = found === 'PENDING' && decided.has(`${customerId} ${kycStatus}`);
      if (kycStatus !== found && !isDecided) yield `${beneficialOwnerId}: ${kycStatus} for ${found}`;
    }
  },

  *'a verdict is for every owner who waited when it was told'(known) {
    for (const { verificationId, verdict, from, answer } of known.screening.told) {
      if (answer === 'unknown' || statusOf(known, verificationId) !== verdict) continue;
      const { customerId } =
        verificationsIn(known).find((one) => one.verificationId === verificationId) ?? {};
      for (const owner of ownersIn(known))
        if (
          owner.customerId === customerId &&
          owner.kycStatus === 'PENDING' &&
          lastCheckIn(known, owner.beneficialOwnerId) <= from
        )
          yield `${owner.beneficialOwnerId} waits after ${verdict}`;
    }
  },

  *'the screening is shown every owner who was there when it was asked for'(known) {
    const created = known.finished.filter(({ type }) => type === 'BeneficialOwnerCreated');
    for (const { path, body, from, answers } of known.asked) {
      const [answer] = answers.filter(decides);
      if (path !== '/verifications' || answer?.status !== 200) continue;
      const { customerId } = body as { customerId: string };
      const there = created.filter(
        ({ position, data }) => position <= from && 'customerId' in data && data.customerId === customerId,
      );
      for (const { owners, at, ...one } of known.screening.shown) {
        if (one.customerId !== customerId || at < from || at > answer.to) continue;
        for (const { data } of there)
          if ('beneficialOwnerId' in data && !owners.includes(data.beneficialOwnerId as string))
            yield `${String(data.beneficialOwnerId)} of ${customerId}`;
      }
    }
  },

  *'the screening is asked where nothing is missing, and only there'(known) {
    for (const { path, answers } of known.asked) {
      const [answer] = answers.filter(decides);
      if (path !== '/verifications' || answer?.status !== 200) continue;
      const { id, customerId, verificationStatus, errors } = answer.body;
      const isAsked = known.screening.shown.some(
        (one) => one.customerId === customerId && one.at <= answer.to,
      );
      if (isEnd(verificationStatus) && errors.length > 0) yield `${id}: ${verificationStatus} with errors`;
      if (!isAsked && verificationStatus !== 'RESOLVE_ERRORS')
        yield `${id}: ${verificationStatus}, and nobody was asked`;
    }
  },
};
