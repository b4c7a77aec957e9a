/** `daybook audit`: what is asked of the log itself. No service has to run, and reading is all that the role must be allowed. */
import { type Command, Option } from 'commander';
import { type Clock, clocks } from '../../domain/books/clocks.ts';
import { logKey, type Moment, moment, momentOrPosition, position } from './arguments.ts';
import type { StatementForm } from './commands/audit/statement-forms.ts';
import type { Until } from './commands/audit/until.ts';

/** Each adds one subcommand. */
const subcommands: readonly ((audit: Command) => void)[] = [
  addTrialBalance,
  addClosings,
  addBalance,
  addStatement,
  addReplay,
  addWho,
  addExport,
  addVerify,
  addDiff,
];

export function addAudit(program: Command): void {
  const audit = program.command('audit').description('check the log itself: no service has to run');
  for (const add of subcommands) add(audit);
}

type At = { readonly at?: Moment | bigint; readonly by: Clock; readonly json?: true };

const untilOf = ({ at, by }: At): Until => {
  if (at === undefined) return undefined;
  return typeof at === 'bigint' ? { position: at } : { clock: by, at: at.last };
};

const byClock = () =>
  new Option('--by <clock>', 'when it was recorded, or when it happened').choices(clocks).default('recorded');
const withAt = (command: Command): Command =>
  command
    .option('--at <when>', 'up to a time, a day or a position: to the end when left out', momentOrPosition)
    .addOption(byClock());
const withAccount = (command: Command): Command =>
  command
    .argument('<account>', 'its id, or rail, in-flight, fees or fx')
    .option('--platform <id>', 'of which platform, for those')
    .option('--currency <code>', 'in which currency, for those');

function addTrialBalance(audit: Command): void {
  withAt(audit.command('trial-balance'))
    .description('add up all postings, by platform and currency; exit code 4 where that is not zero')
    .option('--json', 'as JSON')
    .action(async (options: At) => {
      const { showTrialBalance } = await import('./commands/audit/trial-balance.ts');
      await showTrialBalance({ until: untilOf(options), json: options.json ?? false });
    });
}

function addClosings(audit: Command): void {
  audit
    .command('closings')
    .description(
      'compare each closing of the books with the events of its stream; exit code 4 where one differs',
    )
    .option('--json', 'as JSON')
    .action(async (options) => (await import('./commands/audit-closings.ts')).showClosings(options));
}

type Named = { readonly platform?: string; readonly currency?: string };

function addBalance(audit: Command): void {
  withAt(withAccount(audit.command('balance')))
    .description('what an account held, by its entries')
    .option('--json', 'as JSON')
    .action(async (name: string, options: At & Named) => {
      const { accountNamed } = await import('./commands/audit/entries.ts');
      const account = accountNamed(name, options);
      const { showBalance } = await import('./commands/audit/balance.ts');
      await showBalance({ account, until: untilOf(options), json: options.json ?? false });
    });
}

type Period = Named & {
  readonly from: Moment;
  readonly to: Moment;
  readonly by: Clock;
  readonly format: StatementForm;
  readonly output?: string;
  readonly json?: true;
};

function addStatement(audit: Command): void {
  withAccount(audit.command('statement'))
    .description('an account between two times: what it held before, each entry, what it held after')
    .requiredOption('--from <when>', 'a time, or the beginning of a day', moment)
    .requiredOption('--to <when>', 'a time, or the end of a day; it belongs to the period', moment)
    .addOption(byClock())
    .addOption(
      new Option('--format <form>', 'html is a page to print')
        .choices(['text', 'csv', 'json', 'html'])
        .default('text'),
    )
    .option('--json', 'the same as --format json')
    .option('--output <file>', 'standard output when left out')
    .action(async (name: string, options: Period, command: Command) => {
      if (options.to.last < options.from.first) command.error('error: --to is before --from');
      const { accountNamed } = await import('./commands/audit/entries.ts');
      const { writeStatement } = await import('./commands/audit/statement.ts');
      const { from, to, by: clock, output: file } = options;
      const form = options.json ? 'json' : options.format;
      const account = accountNamed(name, options);
      await writeStatement({ account, from: from.first, to: to.last, clock, form, file });
    });
}

function addReplay(audit: Command): void {
  withAt(audit.command('replay'))
    .description('what happened, in words and figures')
    .argument('<what>', 'a stream, or the id of an account, a payment, a customer, an agent, …')
    .option('--json', 'a line of JSON for each event, with all of its data')
    .action(async (target: string, options: At) => {
      const { replay } = await import('./commands/audit/replay.ts');
      await replay({ target, until: untilOf(options), json: options.json ?? false });
    });
}

function addWho(audit: Command): void {
  audit
    .command('who')
    .description('who asked for something, approved and signed it; exit code 4 where a signature is wrong')
    .argument('<what>', 'the id of a payment, an action of an agent, a signed request, …, or a stream')
    .option('--json', 'as JSON')
    .action(async (target: string, { json = false }: { readonly json?: boolean }) => {
      await (await import('./commands/audit/who.ts')).showWho({ target, json });
    });
}

function addExport(audit: Command): void {
  audit
    .command('export')
    .description(
      'write events to a file, a line of JSON for each, and signed checkpoints; compressed where its name ends in .gz',
    )
    .argument('<file>', 'which there is when it is whole')
    .option('--after <position>', 'events after it: from the beginning when left out', position)
    .option('--until <position>', 'events up to it: to the end when left out', position)
    .option('--platform <id>', 'of one platform alone')
    .option('--json', 'say what was written as JSON')
    .action(async (file: string, { after, until, platform: platformId, json = false }) => {
      const { exportLog } = await import('./commands/audit/export-log.ts');
      await exportLog({ file, after, until, platformId, json });
    });
}

function addVerify(audit: Command): void {
  audit
    .command('verify')
    .description(
      'check every event of the log, or of an export; exit code 4 at the first fault, which is named',
    )
    .argument('[file]', 'an export of a whole log: the log itself when left out')
    .option('--checkpoints <file>', 'signed checkpoints that it has to bear out, with --key')
    .option('--key <key>', 'what they are signed with, and those of the export', logKey)
    .option('--json', 'as JSON')
    .action(async (file: string | undefined, { checkpoints, key, json = false }, command: Command) => {
      if (checkpoints !== undefined && key === undefined)
        command.error('error: --checkpoints needs --key: what the checkpoints are signed with');
      if (key !== undefined && checkpoints === undefined && file === undefined)
        command.error('error: --key needs --checkpoints, or an export');
      await (await import('./commands/audit/verify.ts')).verifyLog({ file, checkpoints, key, json });
    });
}

function addDiff(audit: Command): void {
  audit
    .command('diff')
    .description('what came between two signed checkpoints; exit code 4 where the log is not that of both')
    .argument('<one>', 'a file with checkpoints, of which the newest is meant, or a number of events')
    .argument('<other>', 'the same')
    .option('--key <key>', 'what they are signed with: the key in the database when left out', logKey)
    .option('--json', 'as JSON')
    .action(async (one: string, other: string, { key, json = false }) => {
      await (await import('./commands/audit/diff.ts')).showDiff({ names: [one, other], key, json });
    });
}
