import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const text = readFileSync(join(import.meta.dirname, '../../docker-compose.yml'), 'utf8');
const [shared = '', rest = ''] = text.split('\nservices:\n');
const [services = ''] = rest.split('\nvolumes:\n');

/** By name, what a service says of itself; what all share comes in by its anchor. */
const byName = services
  .split(/^(?= {2}\w+:$)/m)
  .map((block) => [/^ {2}(\w+):/.exec(block)?.[1] ?? '', block.replace('<<: *confined', shared)] as const);

describe('a container of docker-compose.yml', () => {
  it('is one of these', () => {
    expect(byName.map(([name]) => name)).toEqual(['eventstore', 'postgres', 'redis', 'daybook']);
  });

  it.each(byName)('has no capabilities and gains none: %s', (_name, block) => {
    expect(block).toMatch(/^ +cap_drop: \[ALL\]$/m);
    expect(block).toMatch(/^ +security_opt: \["no-new-privileges:true"\]$/m);
    expect(block).not.toMatch(/cap_add|privileged: true/);
  });

  it.each(byName.filter(([name]) => name !== 'eventstore'))(
    'does not write to its image: %s',
    (_name, block) => {
      expect(block).toMatch(/^ {4}read_only: true$/m);
      expect(block).toMatch(/^ {4}tmpfs: \[\/tmp\b/m);
    },
  );

  it('has no password within an address, where some characters would mean something else', () => {
    expect(services).toMatch(/\$\{POSTGRES_PASSWORD/);
    expect(services).not.toMatch(/:\/\/\S*\$\{POSTGRES_PASSWORD/);
  });

  it.each(byName)('is published on loopback only: %s', (_name, block) => {
    const ports = [...block.matchAll(/^ {4}ports: \["([^"]+)"\]$/gm)].map(([, port]) => port);
    expect(ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:/)]);
  });
});
