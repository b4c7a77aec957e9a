/** What is done with the stores of an installation: read models, tables, secrets and the log. */
import { Argument, type Command } from 'commander';
import { exactTime } from './arguments.ts';

export function addRebuild(program: Command): void {
  program
    .command('rebuild')
    .description('build read models again from the log, beside the live ones, and swap them')
    .argument('[models...]', 'those to build: all of them when left out')
    .action(rebuild);
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

export function addRestore(program: Command): void {
  program
    .command('restore')
    .description(
      'make all tables again from a log whose other tables are lost, and tell nobody anything twice',
    )
    .option('--webhooks-since <time>', 'send webhooks for what was recorded since', exactTime)
    .option('--reactions-since <time>', 'react to what was recorded since', exactTime)
    .action(async (options) => (await import('./commands/restore.ts')).restoreTables(options));
}

export function addKeys(program: Command): void {
  program
    .command('keys')
    .description('the master key')
    .command('rotate')
    .description('seal all stored secrets under the current master key')
    .action(async () => (await import('./commands/rotate-keys.ts')).rotateKeys());
}

export function addLog(program: Command): void {
  program
    .command('log')
    .description('the log')
    .command('copy')
    .description(
      'move the log of a stopped installation between Postgres and EventStoreDB; what was cut short goes on',
    )
    .addArgument(new Argument('<to>', 'where it is copied to').choices(['postgres', 'eventstoredb']))
    .action(async (to) => (await import('./commands/log/copy.ts')).moveLog(to));
}
