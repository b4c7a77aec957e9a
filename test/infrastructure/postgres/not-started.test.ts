import { expect, it } from 'vitest';
import { EmbeddedNotStarted } from '../../../src/infrastructure/postgres/server/not-started.ts';

it.each([
  ['FATAL:  could not write lock file "postmaster.pid": No space left on device', /^Make room on its disk$/],
  ['FATAL:  could not resize shared memory segment "/P" to 1 bytes: No space left on device', /--shm-size/],
  ['FATAL:  data directory "/d/cluster" has wrong ownership', /^Start Daybook as the user whose it is/],
  ['FATAL:  data directory "/d/cluster" has invalid permissions', /chmod -R go= on it$/],
  ['postgres: could not access directory "/d/cluster": Permission denied', /root needs that too/],
  ['FATAL:  lock file "postmaster.pid" already exists', /^The directory is a copy of one that is in use/],
  ['FATAL:  database files are incompatible with server', /another version of PostgreSQL/],
  ['FATAL:  insufficient file descriptors available to start server process', /ulimit -n/],
  ['LOG:  could not fork "startup" process: Resource temporarily unavailable', /--pids-limit/],
  ['spawn /d/initdb EAGAIN', /--pids-limit/],
  [
    'initdb: error: program "postgres" is needed by initdb but was not found in the same directory',
    /--pids-limit/,
  ],
  ['FATAL:  could not execute command "locale -a": Cannot allocate memory', /--pids-limit/],
  ['initdb: could not look up effective user ID 1000660000: user does not exist', /that \/etc\/passwd names/],
  ['could not open file "/d/global/pg_control": No such file or directory', /^Mend what it names/],
])('what Postgres says of not starting is told with what to do: %s', (said, next) => {
  expect(
    new EmbeddedNotStarted(`the embedded Postgres did not start: ${said}; see /d/postgres.log`).next,
  ).toMatch(next);
});
