/** For test files of a vitest project that has `@daybook/testing/global-setup`. */
import './node-24.ts';
import { inject } from 'vitest';
import { askForPlatform } from './control.ts';
import type {} from './global-setup.ts';
import type { TestPlatform } from './platform.ts';

/** A platform that no other test file knows, on the service of this run. */
export const newPlatform = (): Promise<TestPlatform> => {
  const control = inject('daybook');
  if (!control) throw new Error("add '@daybook/testing/global-setup' to globalSetup of this vitest project");
  return askForPlatform(control);
};
