import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { sinkTo } from '../../../src/infrastructure/observe/sink.ts';
import { eventually } from '../../support/resources/flows.ts';

describe('lines that are written together', () => {
  it('are all there, in order', async () => {
    const path = join(await mkdtemp(join(tmpdir(), 'daybook-sink-')), 'log');
    const descriptor = openSync(path, 'w');
    const sink = sinkTo(descriptor);
    const lines = Array.from({ length: 2_000 }, (_, n) => `{"line":${n}}\n`);
    for (const line of lines) sink.write(line);
    await eventually(
      async () => readFileSync(path, 'utf8'),
      (text) => text === lines.join(''),
    );
    closeSync(descriptor);
  });
});
