/** Runs for each file of tests: its databases go with it. */
import { afterAll } from 'vitest';
import { dropDatabases } from './database.ts';

afterAll(dropDatabases);
