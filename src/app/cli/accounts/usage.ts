/** What the command line of accounts takes. */
import { parseArgs } from 'node:util';
import { bounds } from '../../../domain/values/bounds.ts';
import { type ExternalAccountId, type InternalAccountId, isId } from '../../../kernel/ids.ts';

export const usage = `Usage: npm run accounts -- COMMAND ACCOUNT [--reason TEXT] [--actor NAME]

  show        InternalAccount:… | ExternalAccount:…   status, and what is held
  freeze      InternalAccount:…   no money in or out; what is on its way is held
  unfreeze    InternalAccount:…   ACTIVE again; what was held is credited
  activate    ExternalAccount:…   verified: it can be paid and pulled from
  review      ExternalAccount:…   UNDER_REVIEW
  deactivate  ExternalAccount:…   INACTIVE

All but show need a reason. It is kept in the log, with the actor: the user of the machine unless told otherwise.`;

/** The command line is not one that there is. */
export class UsageError extends Error {
  override name = 'UsageError';
}

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

/** Throws `UsageError`. `user` is the actor where none is named. */
export function parse(args: readonly string[], user: string): Asked {
  const { command, account, reason = '', actor = user } = read(args);
  if (command === 'show') {
    if (isId('InternalAccount', account) || isId('ExternalAccount', account)) return { command, account };
    throw new UsageError(`${account || 'Nothing'} is no id of an account.`);
  }
  const change = () => ({
    reason: bounded('--reason', reason),
    actor: `operator:${bounded('--actor', actor)}`,
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

function read(args: readonly string[]) {
  const options = { reason: { type: 'string' }, actor: { type: 'string' } } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [command = '', account = '', more] = positionals;
    if (more !== undefined) throw new UsageError(`${more} is one account too many.`);
    return { command, account, ...values };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function bounded(option: string, text: string): string {
  const trimmed = text.trim();
  if (trimmed.length > 0 && trimmed.length <= bounds.remark) return trimmed;
  throw new UsageError(`${option} takes 1 to ${bounds.remark} characters.`);
}
