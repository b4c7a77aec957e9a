/** What an operator does to customers and accounts: ends verifications, erases personal data, freezes. */
import { Argument, type Command } from 'commander';

export function addDecide(program: Command): void {
  program
    .command('decide')
    .description('show the verifications that wait for a decision, or end one, or the check of an owner')
    .argument('[verification]', 'its id, or that of a beneficial owner')
    .addArgument(new Argument('[verdict]', 'what it comes to').choices(['APPROVED', 'REJECTED']))
    .option('--note <text>', 'why')
    .option('--cursor <cursor>', 'where the list goes on, as the one before has said')
    .option('--url <address>', 'of the service, where DAYBOOK_ADMIN_TOKEN is set')
    .action(async (id, verdict, options, command: Command) => {
      if (id !== undefined && verdict === undefined)
        command.error("error: missing argument 'verdict': APPROVED or REJECTED");
      const decision = id === undefined ? undefined : { id, verdict };
      return (await import('./commands/decide.ts')).decideVerification(decision, options);
    });
}

export function addErase(program: Command): void {
  program
    .command('erase')
    .description("erase a customer's personal data, everywhere but in what was exported")
    .argument('<customer>', 'its id')
    .option('--actor <name>', 'who does it: the user of this machine when left out')
    .option('--json', 'as JSON')
    .action(async (customer, options) => (await import('./commands/erase.ts')).eraseOne(customer, options));
}

const accountCommands = [
  ['show', 'the status of an internal or external account, and what it holds'],
  ['freeze', 'an internal account: no money in or out, and what is on its way is held'],
  ['unfreeze', 'an internal account: ACTIVE again, and what was held is credited'],
  ['activate', 'an external account: verified, it can be paid and pulled from'],
  ['review', 'an external account: UNDER_REVIEW'],
  ['deactivate', 'an external account: INACTIVE'],
] as const;

export function addAccounts(program: Command): void {
  const accounts = program.command('accounts').description('freeze accounts, and end their verification');
  for (const [name, does] of accountCommands) {
    const command = accounts.command(name).description(does).argument('<account>', 'its id');
    if (name !== 'show')
      command
        .requiredOption('--reason <text>', 'kept in the log')
        .option('--actor <name>', 'who does it: the user of this machine when left out');
    command.action(async (account, options) =>
      (await import('./commands/accounts.ts')).onAccount(name, account, options),
    );
  }
}
