/** Where platforms want to be told, by the log: at an address from a position on, or nowhere. */
import type { DomainEvent } from '../../../../src/domain/aggregates.ts';

type Change = { readonly position: bigint; readonly url: string | undefined };

export type Endpoints = {
  /** All addresses that a platform has had. */
  readonly addressesOf: (platformId: string) => ReadonlySet<string>;
  /** Whether there was one when this position was reached. */
  readonly isOnAt: (platformId: string, position: bigint) => boolean;
  /** Where what was pending before was given up, last of all by this position. */
  readonly cutoffAt: (platformId: string, position: bigint) => bigint | undefined;
  /** Where an address was given up for good. */
  readonly leftAt: (platformId: string, url: string) => bigint | undefined;
};

export function endpointsIn(log: readonly DomainEvent[]): Endpoints {
  const changes = new Map<string, Change[]>();
  for (const event of log) {
    const change = changeBy(event);
    if (!change) continue;
    const { platformId, url } = change;
    const one: Change = { position: event.position, url };
    changes.set(platformId, [...(changes.get(platformId) ?? []), one]);
  }
  const of = (platformId: string): readonly Change[] => changes.get(platformId) ?? [];
  return {
    addressesOf: (platformId) => new Set(of(platformId).flatMap(({ url }) => url ?? [])),
    isOnAt: (platformId, position) =>
      of(platformId).findLast((one) => one.position <= position)?.url !== undefined,
    cutoffAt: (platformId, position) =>
      of(platformId).findLast((one) => one.url === undefined && one.position <= position)?.position,
    leftAt(platformId, url) {
      const last = of(platformId).findLastIndex((one) => one.url === url);
      return of(platformId)[last + 1]?.position;
    },
  };
}

function changeBy({ type, data }: DomainEvent) {
  if (type === 'WebhookEndpointDisabled') return { platformId: data.platformId, url: undefined };
  if (type !== 'PlatformConfigChanged' || data.webhookEndpoint === undefined) return undefined;
  return { platformId: data.platformId, url: data.webhookEndpoint ?? undefined };
}
