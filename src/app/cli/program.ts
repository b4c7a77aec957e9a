/** The front of all commands. What is not known is refused, and does nothing. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { remedyOf } from '../start/lack.ts';
import { natural } from './arguments.ts';
import { addAudit } from './audit-program.ts';
import { addAuditor } from './auditor-program.ts';
import { addAccounts, addDecide, addErase } from './operator-program.ts';
import { addParked } from './parked-program.ts';
import { isEpipe, ReaderGone } from './reader-gone.ts';
import { addKeys, addLog, addRebuild, addRestore } from './stores-program.ts';
import { UsageError } from './usage-error.ts';

/** What a shell takes for wrong use. */
const wrongUse = 2;

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')) as {
  readonly version: string;
};

/** Each adds one command, in the order in which they are told of. */
const commands: readonly ((program: Command) => void)[] = [
  addStart,
  addDemo,
  addRebuild,
  addRestore,
  addKeys,
  addDecide,
  addErase,
  addAccounts,
  addBench,
  addAudit,
  addLog,
  addParked,
  addAuditor,
];

function programOf(): Command {
  const program = new Command('daybook')
    .description('An event-sourced payments ledger service. Settings come from the environment.')
    .version(version, '--version', 'say of which version this is')
    .exitOverride()
    .showHelpAfterError('(daybook --help says what there is)');

  for (const add of commands) add(program);
  return program;
}

function addStart(program: Command): void {
  program
    .command('start')
    .description('start the service, as without a command')
    .action(async () => {
      // The service has one of its own: no room to say something is no reason for it to end.
      process.stdout.off('error', endUnlessRead);
      await import('../run.ts');
    });
}

function addDemo(program: Command): void {
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
}

function addBench(program: Command): void {
  program
    .command('bench')
    .description('measure payments beside Express alone and beside the least that they can cost')
    .option('--seconds <n>', 'for each turn of each contestant', natural)
    .option('--connections <n>', 'clients at a time', natural)
    .option('--turns <n>', 'how often each is measured', natural)
    .option('--rows <n>', 'transactions that pages are asked for among', natural)
    .option('--json <file>', 'where to write the results as well')
    .action(async (options) => (await import('./commands/bench.ts')).bench(options));
}

/** Whoever reads the answer has read enough of it: nothing is wrong. */
function endUnlessRead(error: Error): void {
  if (!isEpipe(error)) throw error;
}
process.stdout.on('error', endUnlessRead);

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
