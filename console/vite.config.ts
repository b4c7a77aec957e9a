import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

/** Beside each file what the service sends to browsers that take it compressed. */
const compressed: Plugin = {
  name: 'compressed',
  writeBundle({ dir: directory = '' }) {
    for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(?:js|css|html)$/.test(name)) continue;
      const file = join(directory, name);
      const bytes = readFileSync(file);
      writeFileSync(`${file}.br`, brotliCompressSync(bytes));
      writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
    }
  },
};

/** The same sources give the same names and bytes. */
export default defineConfig({
  mode: 'production',
  root: import.meta.dirname,
  base: '/console/',
  resolve: {
    alias: { '@daybook/client': join(import.meta.dirname, '../packages/client/src/client.ts') },
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
  plugins: [compressed],
  logLevel: 'warn',
});
