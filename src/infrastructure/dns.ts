import { Resolver } from 'node:dns/promises';

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
