import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectModule } from '../../src/outside/module.ts';

describe('a module of the operator', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'daybook-module-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const connect = async (name: string, text?: string) => {
    const path = join(folder, name);
    if (text !== undefined) await writeFile(path, text);
    return connectModule<object, { read: () => string }>(
      { variable: 'DAYBOOK_RATES', path },
      { word: 'yes' },
      ['read'],
    );
  };

  it('is given its context, and is what it makes', async () => {
    const made = await connect('good.ts', 'export default async ({ word }: any) => ({ read: () => word });');
    expect(made.read()).toBe('yes');
  });

  it('may be an object of a class', async () => {
    const text =
      'class Rates { word = "own"; read() { return this.word; } } export default () => new Rates();';
    expect((await connect('class.mjs', text)).read()).toBe('own');
  });

  it.each([
    ['missing.ts', undefined, /^DAYBOOK_RATES: .*missing\.ts could not be loaded: /],
    ['broken.mjs', 'export default (', /^DAYBOOK_RATES: .*broken\.mjs could not be loaded: /],
    ['empty.mjs', 'export const rates = 1;', /must export a function as its default$/],
    ['object.mjs', 'export default { read() {} };', /must export a function as its default$/],
    [
      'throws.mjs',
      'export default () => { throw new Error("no folder"); };',
      /could not be started: no folder$/,
    ],
    ['nothing.mjs', 'export default () => undefined;', /has no method read$/],
    ['half.mjs', 'export default () => ({ write() {} });', /has no method read$/],
  ])(
    'that is wrong keeps the service from starting, by the name of its variable: %s',
    async (name, text, error) => {
      await expect(connect(name, text)).rejects.toThrow(error);
    },
  );
});
