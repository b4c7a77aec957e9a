import { idOf } from '../../../kernel/ids.ts';
import type { Faults } from '../../../sandbox/faults/faults.ts';
import type { Effect, Fault } from '../../../sandbox/faults/rules.ts';
import { type Request, type Route, route } from '../../operation.ts';
import { createFault, deleteFault, lifetimeMaxMs, listFaults } from './operations.ts';
import { faultNotFound, renderFault } from './render.ts';

type Deps = { readonly faults: Faults | undefined; readonly now: () => Date };
type Body = Request<typeof createFault>['body'];

export const sandboxFaultRoutes = ({ faults, now }: Deps): readonly Route[] =>
  faults ? routesOf(faults, now) : [];

const routesOf = (faults: Faults, now: () => Date): readonly Route[] => [
  route(createFault, async ({ principal, body, uuidFor }) => {
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
