import { grantedBy } from '../../../domain/tokens/grant.ts';
import { permissions } from '../../../domain/tokens/permissions.ts';
import { uncounted } from '../../../infrastructure/deadlines/deadline.ts';
import { idOf } from '../../../kernel/ids.ts';
import type { PlatformClocks } from '../../../workers/platform-clocks/platform-clocks.ts';
import type { PlatformSnapshots } from '../../../workers/platform-snapshots/snapshots.ts';
import { type Route, route } from '../../operation.ts';
import { createSnapshot, deleteSnapshot, listSnapshots, restoreSnapshot } from './operations.ts';
import { renderSnapshot, snapshotNotFound } from './render.ts';

type Clocks = Pick<PlatformClocks, 'endAbandonedOf'>;
type Deps = { readonly snapshots: PlatformSnapshots | undefined; readonly platformClocks: Clocks };

export const sandboxSnapshotRoutes = ({ snapshots, platformClocks }: Deps): readonly Route[] =>
  snapshots ? routesOf(snapshots, platformClocks) : [];

const routesOf = (snapshots: PlatformSnapshots, clocks: Clocks): readonly Route[] => [
  route(createSnapshot, async ({ principal, body, uuidFor }) => {
    const named = { id: idOf('Snapshot', uuidFor('snapshot')), name: body.name };
    const snapshot = await uncounted(() => snapshots.take(principal.platformId, named));
    return { status: 201, body: renderSnapshot(snapshot) };
  }),
  route(listSnapshots, async ({ principal }) => ({
    status: 200,
    body: { data: (await snapshots.list(principal.platformId)).map(renderSnapshot) },
  })),
  route(deleteSnapshot, async ({ principal, params }) => {
    if (!(await snapshots.remove(principal.platformId, params.snapshotId))) throw snapshotNotFound();
    return { status: 204 };
  }),
  route(restoreSnapshot, async ({ principal, params, cause }) => {
    const { platformId } = principal;
    // Tokens that were deleted since are there again, whatever they may, and agents that pay by themselves.
    grantedBy(principal.permissions, permissions);
    const snapshot = await uncounted(() => snapshots.restore(platformId, params.snapshotId, cause));
    if (!snapshot) throw snapshotNotFound();
    // The snapshot may have been taken in the middle of an advance, which is over.
    await clocks.endAbandonedOf(platformId);
    return { status: 200, body: renderSnapshot(snapshot) };
  }),
];
