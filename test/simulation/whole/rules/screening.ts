/** Checks of customers and owners: what was found, and what the log says of it. */
import { customer } from '../../../../src/domain/customers/customer.ts';
import type { OwnerEvent, VerificationEvent } from '../../../../src/domain/verification/events.ts';
import { beneficialOwner } from '../../../../src/domain/verification/owner.ts';
import { verification } from '../../../../src/domain/verification/verification.ts';
import { uuidOf } from '../../../../src/kernel/ids.ts';
import { decides } from '../client.ts';
import { findingOfOwner } from '../ports/screening.ts';
import { nextWayBack } from './returns.ts';
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

/** Where in the log it was last said who an owner is, or how far the check is. */
function lastCheckIn({ finished }: Known, owner: string): bigint {
  const said = finished.filter(
    ({ type, data }) =>
      type.startsWith('BeneficialOwner') &&
      (data as OwnerEvent['data']).beneficialOwnerId === owner &&
      ('kycStatus' in data || 'personalInfo' in data),
  );
  return said.at(-1)?.position ?? -1n;
}

type Told = Known['screening']['told'][number];

/** Who waits although the verdict has come, and has done so since then. */
function waitingFor(
  known: Known,
  { verificationId, verdict, since }: Pick<Told, 'verificationId' | 'verdict'> & { readonly since: bigint },
): readonly string[] {
  const found = verificationsIn(known).find((one) => one.verificationId === verificationId);
  if (found?.verificationStatus !== verdict) return [];
  return ownersIn(known).flatMap(({ customerId, kycStatus, beneficialOwnerId }) => {
    const waits = customerId === found.customerId && kycStatus === 'PENDING';
    return waits && lastCheckIn(known, beneficialOwnerId) <= since ? [beneficialOwnerId] : [];
  });
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
      if (answer === 'unknown') continue;
      // It may have been carried out on either side of a way back.
      const found = [from, nextWayBack(known, from)].map((position) =>
        statusOf(known.at(position), verificationId),
      );
      if (!found.some((status) => (answer === 'recorded' ? status === verdict : isEnd(status))))
        yield `${verificationId}: ${verdict} was ${answer}, and it is ${found.at(-1)}`;
    }
  },

  *'nobody but the screening is asked, or believed'({ screening }) {
    yield* screening.complaints;
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
    for (const { verificationId, verdict, first, from, answer } of known.screening.told) {
      // What is told again is on those who waited when it was taken, which may have been whenever it was told.
      const since = answer === 'recorded' ? from : first;
      const waiting = (seen: Known) => waitingFor(seen, { verificationId, verdict, since });
      if (answer === 'unknown') continue;
      // It may have been carried out on either side of a way back, which takes away what was before.
      const left = new Set(waiting(known));
      for (const owner of waiting(known.at(from)))
        if (left.has(owner)) yield `${owner} waits after ${verdict}`;
    }
  },

  *'the screening is shown every owner who was there when it was asked for'(known) {
    for (const { path, body, from, answers } of known.asked) {
      const [answer] = answers.filter(decides);
      if (path !== '/verifications' || answer?.status !== 200 || answer.body.errors.length > 0) continue;
      const { customerId } = body as { customerId: string };
      const there = known.finished.flatMap((event): readonly string[] =>
        event.type === 'BeneficialOwnerCreated' &&
        event.position <= from &&
        event.data.customerId === customerId
          ? [event.data.beneficialOwnerId]
          : [],
      );
      // What was asked before may come there meanwhile.
      const shown = known.screening.shown.filter(
        (one) => one.customerId === customerId && one.at >= from && one.at <= answer.to,
      );
      if (shown.length > 0 && !shown.some(({ owners }) => there.every((owner) => owners.includes(owner))))
        yield `${customerId} at ${from}: ${there}`;
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
