/** The service without the chain of events and the tree over them, to show what these cost. */
import { setFlagsFromString } from 'node:v8';
import { readConfig } from '../src/app/config.ts';
import { startService } from '../src/app/service.ts';

// As src/main.js has it.
setFlagsFromString('--heap-growing-percent=45');
const { url } = await startService(readConfig(), { unchained: true });
process.stdout.write(`ready at ${url}\n`);
