import { expect, it } from 'vitest';
import { spawnDaybook, temporaryDirectory } from '../support/processes/process.ts';

const throws = `data:text/javascript,process.on('SIGUSR2', () => {
  throw Object.assign(new Error('a bug'), { command: { args: ['hush' + '-hush'] } });
})`;

it('an error that nobody has caught ends the process, and is one line of the log without what hangs on it', async () => {
  const daybook = spawnDaybook({ cwd: await temporaryDirectory(), flags: ['--import', throws] });
  await daybook.ready;
  daybook.kill('SIGUSR2');
  expect(await daybook.exited).toEqual({ code: 1, signal: null });
  const lines = daybook.stderr().trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line)).at(-1)).toMatchObject({
    level: 60,
    err: { type: 'Error', message: 'a bug', stack: expect.stringContaining('data:text/javascript') },
    msg: 'an error that nobody has caught; this process ends, start it again',
  });
  expect(daybook.stderr()).not.toContain('hush-hush');
});
