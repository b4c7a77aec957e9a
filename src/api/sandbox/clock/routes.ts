import { uncounted } from '../../../infrastructure/deadlines/deadline.ts';
import { badField } from '../../../kernel/rejected.ts';
import type { PlatformClocks } from '../../../workers/platform-clocks/platform-clocks.ts';
import type { Far } from '../../../workers/platform-clocks/way.ts';
import { type Request, type Route, route } from '../../operation.ts';
import { advanceClock, freezeClock, getClock, resumeClock } from './operations.ts';
import { renderAdvanced, renderClock } from './render.ts';

type Deps = { readonly platformClocks: PlatformClocks };

export const sandboxClockRoutes = ({ platformClocks: clocks }: Deps): readonly Route[] => [
  route(getClock, async ({ principal }) => ({
    status: 200,
    body: renderClock(await clocks.read(principal.platformId)),
  })),
  route(freezeClock, async ({ principal, body, cause }) => ({
    status: 200,
    body: renderClock(await uncounted(() => clocks.freeze(principal.platformId, body.at, cause))),
  })),
  route(advanceClock, async ({ principal, body, cause }) => ({
    status: 200,
    body: renderAdvanced(await uncounted(() => clocks.advance(principal.platformId, farOf(body), cause))),
  })),
  route(resumeClock, async ({ principal, cause }) => ({
    status: 200,
    body: renderClock(await uncounted(() => clocks.resume(principal.platformId, cause))),
  })),
];

/** Throws `Rejected` (INVALID_INPUT) where it is not one of the three. */
function farOf({ duration, to, toNextTimer }: Request<typeof advanceClock>['body']): Far {
  const given = [duration, to, toNextTimer].filter((one) => one !== undefined);
  if (given.length !== 1) throw badField('duration', 'or to, or toNextTimer is required: one of them');
  if (duration !== undefined) return { kind: 'by', ms: duration };
  return to ? { kind: 'to', at: to } : { kind: 'nextTimer' };
}
