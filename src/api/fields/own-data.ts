/** What a platform is shown of an event's data. */
import type { JsonObject } from '../../infrastructure/event-store/event-store.ts';
import { isObject } from '../../kernel/json.ts';

/** Of a payment between two platforms these fields have what is the other one's. */
const otherSide: ReadonlySet<string> = new Set(['origin', 'payee', 'route']);

/** Without what another platform has or has asked for, and without its id, however deep it stands. */
export const ownData = (platformId: string, data: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(data)
      .filter(([name, value]) => !isOthers(platformId, name, value))
      .map(([name, value]) => [name, isPlain(value) ? ownData(platformId, value) : value]),
  );

const isPlain = (value: unknown): value is JsonObject => isObject(value) && !Array.isArray(value);

function isOthers(platformId: string, name: string, value: unknown): boolean {
  if (typeof value === 'string') return value.startsWith('Platform:') && value !== platformId;
  return otherSide.has(name) && isPlain(value) && value.platformId !== platformId;
}
