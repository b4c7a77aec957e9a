import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

const root = join(import.meta.dirname, '../..');
const dist = join(root, 'console/dist');
const vite = join(root, 'node_modules/vite/bin/vite.js');

const filesIn = (directory: string) =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .toSorted();

describe('the built files of the console', () => {
  it('are what the sources give', () => {
    const anew = mkdtempSync(join(tmpdir(), 'daybook-console-'));
    onTestFinished(() => rmSync(anew, { recursive: true }));
    const config = ['--config', join(root, 'console/vite.config.ts')];
    execFileSync(process.execPath, [vite, 'build', ...config, '--outDir', anew, '--emptyOutDir'], {
      cwd: root,
      env: { PATH: process.env.PATH },
      stdio: 'pipe',
    });
    expect(filesIn(dist)).toEqual(filesIn(anew));
    expect(filesIn(anew).length).toBeGreaterThan(6);
    // What compresses them is a part of Node, and not of the sources.
    for (const name of filesIn(anew).filter((file) => /\.(?:js|css|html)$/.test(file)))
      expect(readFileSync(join(dist, name)).equals(readFileSync(join(anew, name))), name).toBe(true);
  });

  it('have at most 150 kB of script as it is sent', () => {
    const scripts = filesIn(dist).filter((name) => name.endsWith('.js.gz'));
    expect(scripts.length).toBeGreaterThan(0);
    const bytes = scripts.reduce((sum, name) => sum + readFileSync(join(dist, name)).length, 0);
    expect(bytes).toBeLessThan(150_000);
  });

  it('have no script or style in the page', () => {
    const page = readFileSync(join(dist, 'index.html'), 'utf8');
    expect(page).toMatch(/<script [^>]*src="\/console\/assets\//);
    expect(page).not.toMatch(/<style|style=|<script(?![^>]*\bsrc=)|https?:\/\//);
  });
});
