import type { TokenEvent } from '../../../src/domain/tokens/events.ts';
import { idOf } from '../../../src/kernel/ids.ts';
import { testStart } from '../time/clock.ts';
import { uuidNumber } from '../values/ids.ts';

type DataOf<T extends TokenEvent['type']> = Extract<TokenEvent, { type: T }>['data'];

export const tokenId = idOf('Token', uuidNumber(71));
const at = testStart;

export const tokenDetails = {
  platformId: idOf('Platform', uuidNumber(1)),
  tokenId,
  name: 'Grace, reporting',
  clientId: 'daybook-abc',
  permissions: ['VIEW' as const],
  environment: 'sandbox' as const,
};

export const tokenIssued = (overrides: Partial<DataOf<'TokenIssued'>> = {}) =>
  ({ type: 'TokenIssued', data: { ...tokenDetails, at, ...overrides } }) as const;
export const tokenRenewed = (when = at) => ({ type: 'TokenRenewed', data: { tokenId, at: when } }) as const;
export const tokenDeleted = (when = at) => ({ type: 'TokenDeleted', data: { tokenId, at: when } }) as const;
export const tokenUsed = (when = at, day = '2026-11-02') =>
  ({ type: 'TokenUsed', data: { tokenId, day, at: when } }) as const;
