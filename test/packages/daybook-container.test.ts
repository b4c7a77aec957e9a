/** What @daybook/testcontainers gives the containers that it starts, seen just before there is one. */
import { DaybookContainer } from '@daybook/testcontainers';
import { describe, expect, it } from 'vitest';

type Starting = {
  readonly createOpts: { readonly Env?: readonly string[]; readonly Cmd?: readonly string[] };
  readonly contentsToCopy: readonly unknown[];
};
type Started = {
  readonly variables: Readonly<Record<string, string>>;
  readonly isSupervised: boolean;
  readonly files: number;
};

const notStarted = 'it was only to be looked at';

/** Starts it as far as to the first question to Docker. */
function watched(container = new DaybookContainer()) {
  const seen: Started[] = [];
  Object.defineProperty(container, 'pullPolicy', {
    get(this: Starting) {
      const { createOpts, contentsToCopy } = this;
      const variables = Object.fromEntries(
        (createOpts.Env ?? []).map((one) => {
          const end = one.indexOf('=');
          return [one.slice(0, end), one.slice(end + 1)];
        }),
      );
      seen.push({ variables, isSupervised: createOpts.Cmd !== undefined, files: contentsToCopy.length });
      throw new Error(notStarted);
    },
  });
  const start = async (): Promise<Started> => {
    await expect(container.start()).rejects.toThrow(notStarted);
    const last = seen.at(-1);
    if (!last) throw new Error('nothing was started');
    return last;
  };
  return { container, start };
}

const secrets = ['DAYBOOK_BOOTSTRAP_CLIENT_ID', 'DAYBOOK_BOOTSTRAP_CLIENT_SECRET', 'DAYBOOK_MASTER_KEY'];

describe('a container that is started twice', () => {
  it('has credentials and a master key of its own each time', async () => {
    const { start } = watched();
    const [first, second] = [await start(), await start()];
    for (const name of secrets) expect(second.variables[name]).not.toBe(first.variables[name]);
    expect(second.files).toBe(first.files);
  });

  it('heeds what was set since', async () => {
    const { container, start } = watched();
    expect((await start()).variables.DAYBOOK_SANDBOX_TIME_SCALE).toBe('0.02');
    container.withTimeScale(1);
    expect((await start()).variables.DAYBOOK_SANDBOX_TIME_SCALE).toBe('1');
    container.withDatabase('postgres://elsewhere/daybook');
    const beside = await start();
    expect(beside.variables.DAYBOOK_DATA_DIR).toBeUndefined();
    expect(beside).toMatchObject({ isSupervised: false, files: 0 });
  });

  it('keeps what was said of its environment', async () => {
    const { container, start } = watched();
    container
      .withEnvironment({ DAYBOOK_MASTER_KEY: 'mine', DAYBOOK_SANDBOX_TIME_SCALE: '2' })
      .withTimeScale(3);
    for (const { variables } of [await start(), await start()])
      expect(variables).toMatchObject({ DAYBOOK_MASTER_KEY: 'mine', DAYBOOK_SANDBOX_TIME_SCALE: '2' });
  });
});
