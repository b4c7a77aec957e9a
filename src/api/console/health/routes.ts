import { type Route, route } from '../../operation.ts';
import { getConsoleHealth } from './operations.ts';
import type { Health } from './ring.ts';

export const consoleHealthRoutes = ({ health }: { readonly health: Health }): readonly Route[] => [
  route(getConsoleHealth, async ({ principal }) => {
    const points = await health.of(principal.platformId);
    const shown = points.map(({ at, ...rest }) => Object.assign({ at: at.toISOString() }, rest));
    return { status: 200, body: { points: shown } };
  }),
];
