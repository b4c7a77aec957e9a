/** For vitest's `globalSetup`: one service for all test files of a project. */
import './node-24.ts';
import type { TestProject } from 'vitest/node';
import { type Control, serveControl } from './control.ts';
import { startDaybook, type TestOptions } from './daybook.ts';

declare module 'vitest' {
  interface ProvidedContext {
    daybook: Control;
  }
}

type Setup = (project: TestProject) => Promise<() => Promise<void>>;

/** A global setup with options of its own. */
export const setupWith =
  (options: TestOptions): Setup =>
  async (project) => {
    const daybook = await startDaybook(options);
    const { url, secret, close } = await serveControl(daybook);
    project.provide('daybook', { url, secret });
    return async () => {
      await close();
      await daybook.stop();
    };
  };

const setup: Setup = setupWith({});
export default setup;
