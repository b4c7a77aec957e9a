/** `daybook auditor`: a role that reads, and what is asked as one. */
import type { Command } from 'commander';
import { position, roleName } from './arguments.ts';

export function addAuditor(program: Command): void {
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
}
