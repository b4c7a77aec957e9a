/**
 * Starts the service. What Node has compiled once it finds again at the next start. In JavaScript: for a first file in
 * TypeScript Node would load its compiler, which takes 12 MB, though all other files come from the cache.
 */
import { enableCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';

enableCompileCache();
// Left to itself the heap grows to several times what is alive before it is collected.
setFlagsFromString('--heap-growing-percent=45');
await import('./app/run.ts');
