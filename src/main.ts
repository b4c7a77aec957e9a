/** Starts the service. What Node has compiled once it finds again at the next start. */
import { enableCompileCache } from 'node:module';

enableCompileCache();
await import('./app/run.ts');
