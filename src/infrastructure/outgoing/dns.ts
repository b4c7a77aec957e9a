import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { codeOf } from '../error-code.ts';

const resolving = { timeout: 2_000, tries: 2 };

/** The TXT records at a name, each as one text; none where nobody answers, or says that there are none. */
export async function textsAt(name: string): Promise<readonly string[]> {
  try {
    const records = await new Resolver(resolving).resolveTxt(name);
    return records.map((parts) => parts.join(''));
  } catch (error) {
    if (error instanceof Error && 'code' in error) return [];
    throw error;
  }
}

const hostsFile = '/etc/hosts';

export type Asked = {
  /** Names that are known to this machine and its network only, as by a search list, are found too. */
  readonly mayBeLocal: boolean;
  /** Instead of the name servers of the machine. */
  readonly servers?: readonly string[];
};

/**
 * The addresses of a name that a caller has chosen. Throws where nobody knows it, or nobody answers within 6 s. The lookup
 * of the system waits in threads that the whole process shares, two at a time: names whose servers say nothing would
 * hold up those of everybody else. So it is asked for none but those that a name server does not know.
 */
export async function addressesAt(
  name: string,
  { mayBeLocal, servers }: Asked,
): Promise<readonly LookupAddress[]> {
  const listed = listedIn(await readFile(hostsFile, 'utf8').catch(() => ''), name);
  if (listed.length > 0) return listed;
  try {
    return await queried(name, servers);
  } catch (error) {
    if (mayBeLocal && isUnknown(error)) return lookup(name, { all: true });
    throw error;
  }
}

/** What a machine's own list of hosts says of a name. */
export function listedIn(hosts: string, name: string): readonly LookupAddress[] {
  return hosts.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    const isListed = names.some((one) => one.toLowerCase() === name.toLowerCase());
    return isListed && family !== 0 ? [{ address, family }] : [];
  });
}

async function queried(name: string, servers: Asked['servers']): Promise<readonly LookupAddress[]> {
  const resolver = new Resolver(resolving);
  if (servers) resolver.setServers(servers);
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length > 0) return found.map((address) => ({ address, family: isIP(address) }));
  const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
  throw failures.find((failure) => !isUnknown(failure)) ?? failures[0];
}

/** There is no such name, or no name server to ask. */
const isUnknown = (error: unknown): boolean => ['ENOTFOUND', 'ECONNREFUSED'].includes(codeOf(error));
