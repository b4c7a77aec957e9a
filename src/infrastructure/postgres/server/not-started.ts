/** The embedded Postgres could not be made, or did not start: what it has said of that, and what is to be done. */
export class EmbeddedNotStarted extends Error {
  override name = 'EmbeddedNotStarted';

  /** What who runs it has to do, as a sentence without its point. */
  readonly next: string;

  constructor(message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.next = nextAfter(message);
  }
}

const otherwise = 'Mend what it names, or put a copy of the directory back';

/** By the words of Postgres and of the system. */
const remedies: readonly (readonly [RegExp, string])[] = [
  [/EMFILE|insufficient file descriptors/, 'Raise the limit of file descriptors (ulimit -n) to 1024 or more'],
  [
    /(could not|Cannot) fork|Resource temporarily unavailable|EAGAIN|could not execute command|is needed by initdb but/,
    'Allow this user, or this container, 128 processes and threads or more (ulimit -u, --pids-limit)',
  ],
  [
    /could not look up effective user ID/,
    'Start Daybook as a user that /etc/passwd names, or set DATABASE_URL',
  ],
  [/unshare cannot be run/, 'Start Daybook as another user, or set DATABASE_URL'],
  [/is gone$/, 'Put it back, or a copy of the directory'],
  [
    /shared memory segment/,
    'Give it shared memory: /dev/shm that can be written, in a container --shm-size=256m',
  ],
  [/No space left on device|Disk quota exceeded/, 'Make room on its disk'],
  [
    /has wrong ownership/,
    'Start Daybook as the user whose it is, or make this one the owner of the directory and all in it',
  ],
  [/has invalid permissions/, 'Take the rights of others away: chmod -R go= on it'],
  [
    /Permission denied/,
    'Start Daybook as the user whose the directory is, or make this one the owner of all in it; root needs that too, and a way into each directory above it that is open to others',
  ],
  [
    /lock file "postmaster\.pid" already exists/,
    'The directory is a copy of one that is in use: copy it while its service is stopped',
  ],
  [
    /incompatible with server/,
    'It is of another version of PostgreSQL: start the Daybook that made it, or move the data by pg_dump',
  ],
];

const nextAfter = (message: string): string =>
  remedies.find(([words]) => words.test(message))?.[1] ?? otherwise;
