/** What an operator asks for of an account. */
import { type ExternalAccountId, type InternalAccountId, isId } from '../../../kernel/ids.ts';
import { UsageError } from '../usage-error.ts';
import { bounded, operatorNamed } from './bounded.ts';

const internal = { freeze: 'FROZEN', unfreeze: 'ACTIVE' } as const;
const external = { activate: 'ACTIVE', review: 'UNDER_REVIEW', deactivate: 'INACTIVE' } as const;

type Change = { readonly reason: string; readonly actor: string };
export type Asked =
  | { readonly command: 'show'; readonly account: InternalAccountId | ExternalAccountId }
  | (Change & {
      readonly command: 'internal';
      readonly account: InternalAccountId;
      readonly status: (typeof internal)[keyof typeof internal];
    })
  | (Change & {
      readonly command: 'external';
      readonly account: ExternalAccountId;
      readonly status: (typeof external)[keyof typeof external];
    });

const isCommandOf = <T extends object>(table: T, name: string): name is keyof T & string =>
  Object.hasOwn(table, name);

type Options = { readonly reason?: string; readonly actor?: string };

/** Throws `UsageError`. `user` says who is the actor where none is named. */
export function askedOf(
  command: string,
  account: string,
  { reason = '', actor }: Options,
  user?: () => string,
): Asked {
  if (command === 'show') {
    if (isId('InternalAccount', account) || isId('ExternalAccount', account)) return { command, account };
    throw new UsageError(`${account || 'Nothing'} is no id of an account.`);
  }
  const change = () => ({
    reason: bounded('--reason', reason),
    actor: operatorNamed(actor, user),
  });
  if (isCommandOf(internal, command)) {
    if (!isId('InternalAccount', account)) throw new UsageError(`${command} takes an InternalAccount:….`);
    return { command: 'internal', account, status: internal[command], ...change() };
  }
  if (isCommandOf(external, command)) {
    if (!isId('ExternalAccount', account)) throw new UsageError(`${command} takes an ExternalAccount:….`);
    return { command: 'external', account, status: external[command], ...change() };
  }
  throw new UsageError(`There is no command ${command || 'without a name'}.`);
}
