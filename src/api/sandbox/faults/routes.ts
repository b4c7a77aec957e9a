import { idOf } from '../../../kernel/ids.ts';
import { nearestOf } from '../../../kernel/nearest.ts';
import { badField } from '../../../kernel/rejected.ts';
import type { Faults } from '../../../sandbox/faults/faults.ts';
import type { Effect, Fault } from '../../../sandbox/faults/rules.ts';
import { type Request, type Route, route } from '../../operation.ts';
import { createFault, deleteFault, lifetimeMaxMs, listFaults } from './operations.ts';
import { faultNotFound, renderFault } from './render.ts';

type Deps = {
  readonly faults: Faults | undefined;
  readonly now: () => Date;
  /** What a fault may name. */
  readonly operationIds: ReadonlySet<string>;
};
type Body = Request<typeof createFault>['body'];

export const sandboxFaultRoutes = ({ faults, ...rest }: Deps): readonly Route[] =>
  faults ? routesOf({ faults, ...rest }) : [];

const routesOf = ({ faults, now, operationIds }: Deps & { faults: Faults }): readonly Route[] => [
  route(createFault, async ({ principal, body, uuidFor }) => {
    requireKnown(operationIds, body.match.operationId);
    const createdAt = now();
    const fault: Fault = {
      id: idOf('Fault', uuidFor('fault')),
      platformId: principal.platformId,
      match: body.match,
      effect: effectOf(body.effect),
      remaining: body.times,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + (body.lasts ?? lifetimeMaxMs)),
    };
    await faults.add(fault);
    return { status: 201, body: renderFault(fault) };
  }),
  route(listFaults, async ({ principal }) => ({
    status: 200,
    body: { data: (await faults.list(principal.platformId)).map(renderFault) },
  })),
  route(deleteFault, async ({ principal, params }) => {
    if (!(await faults.remove(principal.platformId, params.faultId))) throw faultNotFound();
    return { status: 204 };
  }),
];

function effectOf(effect: Body['effect']): Effect {
  if (!('delay' in effect)) return effect;
  const { delay: delayMs, ...rest } = effect;
  return { ...rest, delayMs };
}

/** Throws `Rejected` (400) for an operation that is none, or is never hit: a fault that names it would never happen. */
function requireKnown(operationIds: ReadonlySet<string>, asked: string | undefined): void {
  if (asked === undefined || operationIds.has(asked)) return;
  const meant = nearestOf(asked, operationIds);
  throw badField(
    'match.operationId',
    `is no operation that a fault hits${meant ? `; the nearest is ${meant}` : ''}`,
  );
}
