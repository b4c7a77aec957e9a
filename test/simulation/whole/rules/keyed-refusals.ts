/** What was refused under an Idempotency-Key is not done: neither before nor afterwards, by whoever was still at work. */
import type { DomainEvent } from '../../../../src/domain/aggregates.ts';
import { derivedUuid } from '../../../../src/kernel/ids.ts';
import { type Asked, decides, type Heard } from '../client.ts';
import type { Timelines } from '../evidence/timelines.ts';
import type { Rule } from './rules.ts';

/** Whether it is the answer to every repeat. */
const isFinal = (answer: Heard): boolean =>
  decides(answer) &&
  answer.status >= 400 &&
  answer.status !== 401 &&
  answer.headers['retry-after'] === undefined &&
  answer.body?.code !== 'IDEMPOTENCY_KEY_REUSED';

/** What a reaction records of what was asked for, where it is more than that it was asked for. */
const moves: ReadonlySet<DomainEvent['type']> = new Set([
  'AccountDebited',
  'FundsReceived',
  'TransferCreated',
  'PaymentSubmitted',
]);

/** Whoever has keys: platforms, and each of their agents. */
const holdersIn = ({ happened }: Timelines): ReadonlySet<string> =>
  new Set(
    happened.flatMap(({ type, data, metadata }) => [
      metadata.platformId,
      ...(type === 'AgentCreated' ? [data.agentId] : []),
    ]),
  );

/** What was recorded under the key of a request, and what moves money because of that. */
function recordedIn(timelines: Timelines): (asked: Asked) => readonly DomainEvent[] {
  const { happened } = timelines;
  const underKeys = Map.groupBy(happened, ({ metadata }) => metadata.key?.scope);
  const caused = Map.groupBy(happened, ({ metadata }) => metadata.causationId);
  const holders = [...holdersIn(timelines)];
  const following = ({ id }: DomainEvent): readonly DomainEvent[] =>
    (caused.get(id) ?? []).flatMap((next) => [next, ...following(next)]);
  return ({ method, path, key = '' }) => {
    const done = holders.flatMap((holder) => underKeys.get(derivedUuid(holder, method, path, key)) ?? []);
    return [...done, ...done.flatMap(following).filter(({ type }) => moves.has(type))];
  };
}

/** Whether both are of one time: a way back forgets the key as well, and what is answered across one may be of either side. */
function isBeside({ waysBack, goneAt }: Timelines, { from, to }: Heard, event: DomainEvent): boolean {
  const next = waysBack.find(
    ({ platformId, position }) => platformId === event.metadata.platformId && position > from,
  );
  const gone = goneAt(event.id);
  if (gone !== undefined && gone <= to) return false;
  return next === undefined || (next.position > to && event.position < next.position);
}

/** Of an agent it is kept what it has asked for in vain; what was taken for a quote that had expired meanwhile is given back. */
function isUndone({ happened }: Timelines, event: DomainEvent): boolean {
  const { type, data } = event;
  if (type === 'AgentActionRequested' || type === 'AgentActionStarted')
    return happened.some((one) => one.type === 'AgentActionFailed' && one.data.actionId === data.actionId);
  return (
    type === 'AccountDebited' &&
    happened.some((one) => one.type === 'ExecutionRefused' && one.data.transactionId === data.transactionId)
  );
}

export const ofKeyedRefusals: Readonly<Record<string, Rule>> = {
  *'what was refused under a key was not done'({ asked, timelines }) {
    const recordedUnder = recordedIn(timelines);
    for (const one of asked.filter(({ key }) => key !== undefined))
      for (const answer of one.answers.filter(isFinal))
        for (const event of recordedUnder(one))
          if (isBeside(timelines, answer, event) && !isUndone(timelines, event))
            yield `${one.method} ${one.path} under ${one.key}: ${answer.body.code} at ${answer.to}, ${event.type} at ${event.position}`;
  },
};
