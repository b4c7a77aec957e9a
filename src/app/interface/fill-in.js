/**
 * In the browser, and in tests: puts what exists in the places of the ids of the examples, before a request of the page
 * is sent. What does not exist is made, by the calls of `example-sources.ts`; only for tokens of a sandbox.
 */

/** @typedef {import('./example-sources.ts').Source} Source */
/** @typedef {Extract<Source, { calls: unknown }>['calls'][number]} Call */
/** @typedef {{ url: string, headers: Record<string, string>, body?: unknown, loadSpec?: boolean }} Sent */
/** @typedef {{ readonly platform: string | undefined, readonly agent: string | undefined }} Callers */
/** @typedef {{ readonly callers: Callers, readonly values: Map<string, Promise<string>>, readonly made: Map<string, Promise<string>> }} Scope */

const waitMs = 250;
const waitsMax = 120;
/** Of a token of production, and of a service that has no sandbox. */
const saysNo = [403, 404];
const filePart = [new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])];

/**
 * Returns what Swagger UI calls with each request. `platform` answers the Authorization of the platform, where somebody
 * has signed in with it.
 *
 * @param {{ base: string, sources: Readonly<Record<string, Source>>, agentToken: string, platform: () => string | undefined }} page
 */
export function fillIn({ base, sources, agentToken, platform }) {
  const path = new URL(base).pathname;
  const isSandbox = createSandboxCheck(base);
  const { standsFor, filled } = standIns(base, sources);
  /** What was made, by who asked. @type {Map<string, Map<string, Promise<string>>>} */
  const kept = new Map();

  /** @param {Sent} request @param {Scope} scope */
  async function complete(request, scope) {
    const { url, headers, body } = request;
    const filledUrl = await filled(url, scope);
    if (new URL(url).pathname.startsWith(`${path}/agents/me`))
      headers.Authorization = scope.callers.agent ?? `Bearer ${await standsFor(agentToken, scope)}`;
    if (typeof body === 'string') request.body = await filled(body, scope);
    if (body instanceof FormData)
      for (const [name, value] of [...body])
        if (typeof value === 'string') body.set(name, await filled(value, scope));
    request.url = filledUrl;
  }

  /** @param {Sent} request */
  return async (request) => {
    if (request.loadSpec || !new URL(request.url).pathname.startsWith(`${path}/`)) return request;
    const own = request.headers.Authorization;
    const agent = own?.startsWith('Bearer ') ? own : undefined;
    const caller = agent ? platform() : (own ?? platform());
    if (caller === undefined || !(await isSandbox(caller))) return request;
    const key = `${caller} ${agent ?? ''}`;
    const made = kept.get(key) ?? new Map();
    kept.set(key, made);
    if (agent) made.set(agentToken, Promise.resolve(agent.slice('Bearer '.length)));
    await complete(request, { callers: { platform: caller, agent }, values: new Map(), made });
    return request;
  };
}

/**
 * What stands for the ids of the examples, made where it does not exist: `standsFor` one of them, `filled` in a text.
 *
 * @param {string} base @param {Readonly<Record<string, Source>>} sources
 */
function standIns(base, sources) {
  /** @param {Call} call @param {Scope} scope */
  async function answerTo({ method, path, body, form, as, until }, scope) {
    const url = base + (await filled(path, scope));
    const authorization = as ? `Bearer ${await standsFor(as, scope)}` : (scope.callers.platform ?? '');
    /** @type {RequestInit} */
    const init = { method, headers: { authorization } };
    if (body) {
      init.headers = { authorization, 'content-type': 'application/json' };
      init.body = await filled(JSON.stringify(body), scope);
    }
    if (form) init.body = await formOf(form, scope);
    for (let waits = 0; ; waits++) {
      const response = await fetch(url, init);
      const answer = await response.json();
      if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
      if (!until || at(answer, until[0]) === until[1] || waits === waitsMax) return answer;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }

  /** @param {Readonly<Record<string, string>>} fields @param {Scope} scope */
  async function formOf(fields, scope) {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, await filled(value, scope));
    form.append('file', new Blob(filePart, { type: 'image/png' }), 'passport.png');
    return form;
  }

  /** @param {string} id @param {Scope} scope @returns {Promise<string>} */
  function standsFor(id, scope) {
    const source = sources[id];
    if (!source) return Promise.resolve(id);
    const values = source.isNew ? scope.values : scope.made;
    const known = values.get(id);
    if (known) return known;
    const made = make(source, scope);
    values.set(id, made);
    made.catch(() => values.delete(id));
    return made;
  }

  /** @param {Source} source @param {Scope} scope */
  async function make(source, scope) {
    if ('random' in source) return randomNumber();
    /** @type {unknown} */
    let answer;
    for (const call of source.calls) answer = await answerTo(call, scope);
    return String(at(answer, source.take));
  }

  /** As it stands, and as it stands in an address. @param {string} text @param {Scope} scope */
  async function filled(text, scope) {
    let result = text;
    for (const id of Object.keys(sources)) {
      const forms = [id, encodeURIComponent(id)].filter((form) => result.includes(form));
      if (forms.length === 0) continue;
      const value = await standsFor(id, scope);
      for (const form of forms)
        result = result.replaceAll(form, () => (form === id ? value : encodeURIComponent(value)));
    }
    return result;
  }

  return { standsFor, filled };
}

/**
 * Whether a token is of a sandbox; what was not told is asked again the next time.
 *
 * @param {string} base
 */
function createSandboxCheck(base) {
  /** @type {Map<string, Promise<boolean>>} */
  const sandboxes = new Map();

  /** @param {string} authorization */
  return (authorization) => {
    const known = sandboxes.get(authorization);
    if (known) return known;
    const forget = () => void sandboxes.delete(authorization);
    const asked = fetch(`${base}/sandbox/emails?limit=1`, { headers: { authorization } }).then(
      ({ ok, status }) => {
        if (!ok && !saysNo.includes(status)) forget();
        return ok;
      },
      () => {
        forget();
        return false;
      },
    );
    sandboxes.set(authorization, asked);
    return asked;
  };
}

/** Of an account; with these last digits payments to it complete. */
const randomNumber = () => `${crypto.getRandomValues(new Uint32Array(1))[0]}`.padStart(10, '1').concat('789');

/** @param {unknown} answer @param {string} keys */
const at = (answer, keys) =>
  keys.split('.').reduce((/** @type {any} */ within, key) => within?.[key], answer);
