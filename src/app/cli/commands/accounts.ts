import { askedOf } from './account-change.ts';
import { withCommands } from './beside.ts';
import { runOn } from './change-account.ts';

/**
 * What the operator of an installation does to an account: it writes to the log, from which the processes of the service
 * take it. Throws `UsageError` for what cannot be asked for.
 */
export async function onAccount(
  command: string,
  account: string,
  options: Parameters<typeof askedOf>[2],
): Promise<void> {
  const asked = askedOf(command, account, options);
  await withCommands(async (opened) => void process.stdout.write(`${await runOn(opened, asked)}\n`));
}
