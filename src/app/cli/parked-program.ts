/** `daybook parked`: what follows from events and has failed. */
import { Argument, type Command } from 'commander';

export function addParked(program: Command): void {
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
}
