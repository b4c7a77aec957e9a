import { describe, expect, it } from 'vitest';
import {
  createPresence,
  goneAfterMs,
  settledAfterMs,
} from '../../../src/infrastructure/postgres/presence.ts';

function listener() {
  let now = 1_000;
  const presence = createPresence('self', () => now);
  const pass = (ms: number) => {
    now += ms;
  };
  return { presence, pass };
}

describe('a process that listens', () => {
  it('does not take itself to be alone before it has listened for a while', () => {
    const { presence, pass } = listener();
    expect(presence.isAlone()).toBe(false);
    presence.begun();
    pass(settledAfterMs);
    expect(presence.isAlone()).toBe(false);
    pass(1);
    expect(presence.isAlone()).toBe(true);
  });

  it('is alone whatever it hears itself say', () => {
    const { presence, pass } = listener();
    presence.begun();
    pass(settledAfterMs + 1);
    expect(presence.heard('self')).toBe(false);
    expect(presence.isAlone()).toBe(true);
  });

  it('is not alone from the moment that it hears another, until that one is silent for long', () => {
    const { presence, pass } = listener();
    presence.begun();
    pass(settledAfterMs + 1);
    expect(presence.heard('other')).toBe(true);
    expect(presence.isAlone()).toBe(false);
    pass(goneAfterMs);
    expect(presence.heard('other')).toBe(false);
    pass(goneAfterMs);
    expect(presence.isAlone()).toBe(false);
    pass(1);
    expect(presence.isAlone()).toBe(true);
    expect(presence.heard('other')).toBe(true);
  });

  it('knows of nobody while it hears nothing, and begins anew with a new connection', () => {
    const { presence, pass } = listener();
    presence.begun();
    pass(settledAfterMs + 1);
    presence.deaf();
    expect(presence.isAlone()).toBe(false);
    presence.begun();
    expect(presence.isAlone()).toBe(false);
    pass(settledAfterMs + 1);
    expect(presence.isAlone()).toBe(true);
  });
});
