/** The verifier on events that a test has, as an auditor runs it on an export. */
import { publishedSchemas } from '../../../src/app/cli/verify/published-schemas.ts';
import { compile, Fault, Verifier } from '../../../src/app/cli/verify/verify.mjs';
import type { StoredEvent } from '../../../src/infrastructure/event-store/event-store.ts';
import { stringify } from '../../../src/kernel/json.ts';

const schemas = new Map([...publishedSchemas()].map(([type, schema]) => [type, compile(schema)]));

/** Throws `Fault`. */
export function verify(events: Iterable<StoredEvent>, positions: 'dense' | 'growing' = 'dense') {
  const verifier = new Verifier({ schemas });
  for (const event of events) verifier.add(JSON.parse(stringify(event)));
  return verifier.result(positions);
}

/** What it says of them, and at which event. */
export function faultIn(events: Iterable<StoredEvent>, positions?: 'dense' | 'growing') {
  try {
    verify(events, positions);
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  return undefined;
}
