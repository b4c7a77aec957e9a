/** Addresses of Postgres as the driver is given them. */

/** As the driver takes them all, and says so on standard error unless it is told the last. */
const takenAsVerifyFull: ReadonlySet<string> = new Set(['prefer', 'require', 'verify-ca']);
const verifyFull = 'verify-full';

/** What the address says of TLS, where the certificate and the host name of the server are checked nevertheless. */
export function weakerSslMode(url: string): string | undefined {
  const { searchParams } = new URL(url);
  const mode = searchParams.getAll('sslmode').at(-1) ?? '';
  const isAsked = takenAsVerifyFull.has(mode) && searchParams.get('uselibpqcompat') !== 'true';
  return isAsked ? mode : undefined;
}

/**
 * An address without what it says of its connections. They have names by which processes know each other, whatever the
 * address calls them; its `options` hold where they are not those that are needed.
 */
export function addressOf(url: string): { readonly connectionString: string; readonly itsOptions: string } {
  const address = new URL(url);
  const itsOptions = address.searchParams.get('options');
  const isWeaker = weakerSslMode(url) !== undefined;
  if (itsOptions === null && !address.searchParams.has('application_name') && !isWeaker)
    return { connectionString: url, itsOptions: '' };
  for (const name of ['options', 'application_name']) address.searchParams.delete(name);
  if (isWeaker) address.searchParams.set('sslmode', verifyFull);
  return { connectionString: address.href, itsOptions: itsOptions ?? '' };
}
