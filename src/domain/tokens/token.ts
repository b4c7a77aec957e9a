/**
 * An API token as the log knows it: who got it, on which days it was used, when it was deleted. Whether it works is said
 * by the table of tokens; the stream follows that table, and refuses nothing.
 */

import type { Decider } from '../../kernel/decider.ts';
import { dayOf } from '../../kernel/moments.ts';
import type { TokenEvent } from './events.ts';

type Issued = Extract<TokenEvent, { type: 'TokenIssued' }>['data'];

/** A token as the table has it. */
export type KeptToken = Omit<Issued, 'at'> & {
  readonly createdAt: Date;
  /** When it was made, given another secret, or deleted. */
  readonly updatedAt: Date;
  readonly deletedAt: Date | null;
};

export type TokenCommand =
  /** What of the token is not in the log yet. */
  | { readonly type: 'RecordToken'; readonly token: KeptToken }
  | { readonly type: 'UseToken'; readonly at: Date };

export type KnownToken = {
  readonly status: 'ISSUED' | 'DELETED';
  readonly details: Omit<Issued, 'at'>;
  readonly changedAt: Date;
  /** The last day of UTC on which its use was noticed. */
  readonly usedOn?: string;
};
export type Token = { readonly status: 'NONE' } | KnownToken;

export const token: Decider<Token, TokenCommand, TokenEvent> = {
  initial: { status: 'NONE' },

  decide(command, state) {
    if (command.type === 'RecordToken') return recorded(command.token, state);
    if (state.status === 'NONE') return [];
    const { at } = command;
    const day = dayOf(at);
    if (state.usedOn !== undefined && state.usedOn >= day) return [];
    return [{ type: 'TokenUsed', data: { tokenId: state.details.tokenId, day, at } }];
  },

  evolve(state, event) {
    if (event.type === 'TokenIssued') {
      const { at, ...details } = event.data;
      return { status: 'ISSUED', details, changedAt: at };
    }
    if (state.status === 'NONE') return state;
    const { at } = event.data;
    switch (event.type) {
      case 'TokenRenewed':
        return { ...state, status: 'ISSUED', changedAt: at };
      case 'TokenUsed':
        return { ...state, usedOn: event.data.day };
      case 'TokenDeleted':
        return { ...state, status: 'DELETED', changedAt: at };
    }
  },
};

/** Of a token that came back with a backup and is deleted in the log, nothing: it is no newer than that. */
function recorded(
  { createdAt, updatedAt, deletedAt, ...details }: KeptToken,
  state: Token,
): readonly TokenEvent[] {
  const { tokenId } = details;
  const isNew = state.status === 'NONE';
  const issued: readonly TokenEvent[] = isNew
    ? [{ type: 'TokenIssued', data: { ...details, at: createdAt } }]
    : [];
  if (deletedAt) {
    if (state.status === 'DELETED') return [];
    return [...issued, { type: 'TokenDeleted', data: { tokenId, at: deletedAt } }];
  }
  const changedAt = isNew ? createdAt : state.changedAt;
  if (updatedAt <= changedAt) return issued;
  return [...issued, { type: 'TokenRenewed', data: { tokenId, at: updatedAt } }];
}
