/** Does to an account what the operator has asked for, and tells how it stands. */
import { internalAccountNotFound } from '../../../domain/accounts/account.ts';
import { countHeld, heldCredits, oldestHeld } from '../../../domain/accounts/held-credits.ts';
import type { OpenAccount } from '../../../domain/accounts/state.ts';
import {
  externalAccountNotFound,
  type RegisteredExternalAccount,
} from '../../../domain/external-accounts/external-account.ts';
import { inWords } from '../../../domain/money/in-words.ts';
import {
  type ExternalAccountId,
  type InternalAccountId,
  isId,
  type PlatformId,
  uuidOf,
} from '../../../kernel/ids.ts';
import { changeExternalStatus, changeFreezing } from '../../../use-cases/accounts/change-status.ts';
import type { Commands } from '../../../use-cases/commands.ts';
import type { Asked } from './account-change.ts';

type Deps = { readonly commands: Commands; readonly now: () => Date };

/** One line for each thing to know. Throws `Rejected` for an account that is not there, or a status that does not follow. */
export async function runOn(deps: Deps, asked: Asked): Promise<string> {
  const { commands } = deps;
  switch (asked.command) {
    case 'show': {
      const { account } = asked;
      return isId('InternalAccount', account)
        ? tellInternal(await loadInternal(commands, account))
        : tellExternal(await loadExternal(commands, account));
    }
    case 'internal': {
      const { platformId } = await loadInternal(commands, asked.account);
      await changeFreezing(deps, { accountId: asked.account }, asked, causeOf(asked, platformId));
      return tellInternal(await loadInternal(commands, asked.account));
    }
    case 'external': {
      const { details } = await loadExternal(commands, asked.account);
      return tellExternal(
        await changeExternalStatus(deps, details, asked, causeOf(asked, details.platformId)),
      );
    }
  }
}

const causeOf = (
  { actor, account }: { readonly actor: string; readonly account: string },
  platformId: PlatformId,
) => ({
  platformId,
  correlationId: `operator:${account}`,
  causationId: `operator:${account}`,
  actor,
});

async function loadInternal(commands: Commands, id: InternalAccountId): Promise<OpenAccount> {
  const account = await commands.load('account', uuidOf(id));
  if (account.status === 'none') throw internalAccountNotFound();
  const known = await commands.load('account', uuidOf(id), oldestHeld(account));
  return known.status === 'none' ? account : known;
}

async function loadExternal(commands: Commands, id: ExternalAccountId): Promise<RegisteredExternalAccount> {
  const account = await commands.load('externalAccount', uuidOf(id));
  if (account.kind === 'none') throw externalAccountNotFound();
  return account;
}

function tellInternal(account: OpenAccount): string {
  const { accountId, status, customerId, platformId, balance, currency, held } = account;
  const oldest = heldCredits(account);
  const others = countHeld(account) - oldest.length;
  return [
    `${accountId} is ${status}`,
    `of ${customerId ?? platformId}`,
    `balance ${inWords({ minor: balance, currency })}`,
    ...oldest.map(({ amount, transactionId }) => `holds ${inWords(amount)} of ${transactionId}`),
    ...(others > 0 ? [`holds ${others} others: ${inWords({ minor: held.minor, currency })} in all`] : []),
  ].join('\n');
}

const tellExternal = ({ details, isDeleted }: RegisteredExternalAccount) =>
  [
    `${details.externalAccountId} is ${isDeleted ? 'deleted' : details.status}`,
    `of ${details.customerId ?? details.platformId}`,
  ].join('\n');
