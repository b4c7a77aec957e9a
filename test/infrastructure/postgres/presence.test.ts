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
    expect(presence.isAlone('news')).toBe(false);
    presence.begun();
    pass(settledAfterMs);
    expect(presence.isAlone('news')).toBe(false);
    pass(1);
    expect(presence.isAlone('news')).toBe(true);
  });

  it('is alone whatever it hears itself say', () => {
    const { presence, pass } = listener();
    presence.begun();
    pass(settledAfterMs + 1);
    expect(presence.heard('self')).toBe(false);
    expect(presence.isAlone('news')).toBe(true);
  });

  it('knows for a while of whom it heard before its connection was lost', () => {
    const { presence, pass } = listener();
    presence.begun();
    expect(presence.heardOf()).toBe(0);
    presence.heard('other news');
    presence.heard('self news');
    presence.deaf();
    presence.begun();
    pass(goneAfterMs);
    expect(presence.heardOf()).toBe(1);
    pass(1);
    expect(presence.heardOf()).toBe(0);
  });

  it('knows of nobody who has said farewell', () => {
    const { presence } = listener();
    const other = createPresence('other');
    presence.begun();
    presence.heard(other.says(['news']));
    presence.heard('third news');
    expect(presence.heard(other.farewell)).toBe(false);
    expect(presence.heardOf()).toBe(1);
    expect(presence.heard(other.says(['news']))).toBe(true);
  });

  it('is not alone from the moment that it hears another, until that one is silent for long', () => {
    const { presence, pass } = listener();
    presence.begun();
    pass(settledAfterMs + 1);
    expect(presence.heard('other')).toBe(true);
    expect(presence.isAlone('news')).toBe(false);
    pass(goneAfterMs);
    expect(presence.heard('other')).toBe(false);
    pass(goneAfterMs);
    expect(presence.isAlone('news')).toBe(false);
    pass(1);
    expect(presence.isAlone('news')).toBe(true);
    expect(presence.heard('other')).toBe(true);
  });

  it('is alone on a channel while others listen on other ones, and not with one that does not say on which', () => {
    const { presence, pass } = listener();
    presence.begun();
    pass(settledAfterMs + 1);
    expect(presence.heard('other orders')).toBe(true);
    expect([presence.isAlone('news'), presence.isAlone('orders')]).toEqual([true, false]);
    expect(presence.heard('other orders news')).toBe(true);
    expect(presence.heard('other news')).toBe(false);
    expect([presence.isAlone('news'), presence.isAlone('orders')]).toEqual([false, true]);
    expect(presence.heard('former')).toBe(true);
    expect(presence.isAlone('orders')).toBe(false);
  });

  it('knows of nobody while it hears nothing, and begins anew with a new connection', () => {
    const { presence, pass } = listener();
    presence.begun();
    pass(settledAfterMs + 1);
    presence.deaf();
    expect(presence.isAlone('news')).toBe(false);
    presence.begun();
    expect(presence.isAlone('news')).toBe(false);
    pass(settledAfterMs + 1);
    expect(presence.isAlone('news')).toBe(true);
  });
});
