/** The front of all commands. What is not known is refused, and does nothing. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Argument, Command, CommanderError } from 'commander';
import { remedyOf } from '../start/lack.ts';
import { exactTime, natural, position, roleName } from './arguments.ts';
import { addAudit } from './audit-program.ts';
import { isEpipe, ReaderGone } from './reader-gone.ts';
import { UsageError } from './usage-error.ts';

/** What a shell takes for wrong use. */
const wrongUse = 2;

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')) as {
  readonly version: string;
};

const accountCommands = [
  ['show', 'the status of an internal or external account, and what it holds'],
  ['freeze', 'an internal account: no money in or out, and what is on its way is held'],
  ['unfreeze', 'an internal account: ACTIVE again, and what was held is credited'],
  ['activate', 'an external account: verified, it can be paid and pulled from'],
  ['review', 'an external account: UNDER_REVIEW'],
  ['deactivate', 'an external account: INACTIVE'],
] as const;

function programOf(): Command {
  const program = new Command('daybook')
    .description('An event-sourced payments ledger service. Settings come from the environment.')
    .version(version, '--version', 'say of which version this is')
    .exitOverride()
    .showHelpAfterError('(daybook --help says what there is)');

  program
    .command('start')
    .description('start the service, as without a command')
    .action(async () => {
      await import('../run.ts');
    });

  program
    .command('demo')
    .description('make a payout on a service of its own, or on a running one')
    .option('--url <address>', 'the address of a running service, with its version')
    .option('--user <id:secret>', 'the API token for it')
    .action(async (options, command: Command) => {
      if ((options.url === undefined) !== (options.user === undefined))
        command.error(
          'error: --url and --user go together, for example --user "$(cat .daybook/credentials)"',
        );
      return (await import('./commands/demo.ts')).demo(options);
    });

  program
    .command('rebuild')
    .description('build read models again from the log, beside the live ones, and swap them')
    .argument('[models...]', 'those to build: all of them when left out')
    .action(rebuild);

  program
    .command('restore')
    .description(
      'make all tables again from a log whose other tables are lost, and tell nobody anything twice',
    )
    .option('--webhooks-since <time>', 'send webhooks for what was recorded since', exactTime)
    .option('--reactions-since <time>', 'react to what was recorded since', exactTime)
    .action(async (options) => (await import('./commands/restore.ts')).restoreTables(options));

  program
    .command('keys')
    .description('the master key')
    .command('rotate')
    .description('seal all stored secrets under the current master key')
    .action(async () => (await import('./commands/rotate-keys.ts')).rotateKeys());

  program
    .command('decide')
    .description('show the verifications that wait for a decision, or end one')
    .argument('[verification]', 'its id')
    .addArgument(new Argument('[verdict]', 'what it comes to').choices(['APPROVED', 'REJECTED']))
    .option('--note <text>', 'why')
    .option('--url <address>', 'of the service, where DAYBOOK_ADMIN_TOKEN is set')
    .action(async (verificationId, verdict, options, command: Command) => {
      if (verificationId !== undefined && verdict === undefined)
        command.error("error: missing argument 'verdict': APPROVED or REJECTED");
      const decision = verificationId === undefined ? undefined : { verificationId, verdict };
      return (await import('./commands/decide.ts')).decideVerification(decision, options);
    });

  program
    .command('erase')
    .description("erase a customer's personal data, everywhere but in what was exported")
    .argument('<customer>', 'its id')
    .option('--actor <name>', 'who does it: the user of this machine when left out')
    .option('--json', 'as JSON')
    .action(async (customer, options) => (await import('./commands/erase.ts')).eraseOne(customer, options));

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

  program
    .command('bench')
    .description('measure payments beside Express alone and beside the least that they can cost')
    .option('--seconds <n>', 'for each turn of each contestant', natural)
    .option('--connections <n>', 'clients at a time', natural)
    .option('--turns <n>', 'how often each is measured', natural)
    .option('--rows <n>', 'transactions that pages are asked for among', natural)
    .option('--json <file>', 'where to write the results as well')
    .action(async (options) => (await import('./commands/bench.ts')).bench(options));

  addAudit(program);

  program
    .command('log')
    .description('the log')
    .command('copy')
    .description(
      'move the log of a stopped installation between Postgres and EventStoreDB; what was cut short goes on',
    )
    .addArgument(new Argument('<to>', 'where it is copied to').choices(['postgres', 'eventstoredb']))
    .action(async (to) => (await import('./commands/log/copy.ts')).moveLog(to));

  const parked = program.command('parked').description('what follows from events and has failed');
  parked
    .command('list', { isDefault: true })
    .description('show it')
    .option('--json', 'a line of JSON for each')
    .action(async (options) => (await import('./commands/parked.ts')).showParked(options));
  parked
    .command('retry')
    .description('try it again now')
    .argument('[event]', 'the id of an event: all events when left out')
    .action(async (event) => (await import('./commands/parked.ts')).retry(event));
  parked
    .command('drop')
    .description('give up what is parked of an event')
    .addArgument(new Argument('<event>', 'the id of the event'))
    .action(async (event) => (await import('./commands/parked.ts')).drop(event));

  const auditor = program.command('auditor').description('for auditors: a role that reads, and questions');
  auditor
    .command('create')
    .description("make a role that reads the auditors' views and nothing else, and print its password")
    .argument('[name]', 'of the role', roleName, 'auditor')
    .option('--log', 'and the log itself, with all that is in it: for `daybook audit`')
    .action(async (name, options) => (await import('./commands/auditor.ts')).makeAuditor(name, options));
  auditor
    .command('drop')
    .description('take the role away, with its connections')
    .argument('[name]', 'of the role', roleName, 'auditor')
    .action(async (name) => (await import('./commands/auditor.ts')).removeAuditor(name));
  auditor
    .command('query')
    .description('ask one question in SQL, which cannot change anything')
    .argument('<sql>', 'a statement; views of auditors need no schema before their names')
    .option('--csv', 'the answer as CSV')
    .action(async (question, options) =>
      (await import('./commands/auditor.ts')).askAuditor(question, options),
    );
  auditor
    .command('digest')
    .description('print the SHA-256 of the log, to be noted elsewhere and compared later')
    .option('--until <position>', 'up to this position: to the end when left out', position)
    .action(async (options) => (await import('./commands/auditor.ts')).digestLog(options));
  return program;
}

async function rebuild(names: readonly string[], _options: object, command: Command): Promise<void> {
  const { modelNames, rebuildModels } = await import('./commands/rebuild.ts');
  const unknown = names.filter((name) => name !== 'all' && !modelNames.includes(name));
  if (unknown.length > 0)
    command.error(
      `error: there is no read model ${unknown.join(', ')}. There are: ${modelNames.join(', ')}.`,
    );
  await rebuildModels(names.includes('all') ? [] : names);
}

// Whoever reads the answer has read enough of it: nothing is wrong.
process.stdout.on('error', (error) => {
  if (!isEpipe(error)) throw error;
});

/** What a command line names is not there. */
const notThere = 3;

/** Errors that scripts can tell apart say so. */
function exitCodeOf(error: unknown): number {
  if (missingFile(error) !== undefined) return notThere;
  return error instanceof Error && 'exitCode' in error && typeof error.exitCode === 'number'
    ? error.exitCode
    : 1;
}

function messageOf(error: unknown): string {
  const missing = missingFile(error);
  if (missing !== undefined) return `There is no file or folder ${missing}.`;
  const message = error instanceof Error ? error.message : String(error);
  const remedy = remedyOf(error);
  return remedy === undefined ? message : `${message}. ${remedy}.`;
}

const missingFile = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT' && 'path' in error
    ? String(error.path)
    : undefined;

const program = programOf();
try {
  // What a command finds to be none is told as what its front finds.
  await program.parseAsync().catch((error: unknown) => {
    if (error instanceof UsageError) program.error(`error: ${error.message}`);
    throw error;
  });
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : wrongUse;
  else if (!(error instanceof ReaderGone)) {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = exitCodeOf(error);
  }
}
