/**
 * node verify.mjs LOG.ndjson[.gz] [--schemas FOLDER] [--key KEY] [--checkpoints FILE] [--json]
 * Checks an export of a Daybook log with Node 22 and nothing else; ends with 4 at the first fault, whose place it names,
 * with 3 where a file is not there, with 2 for a wrong command line, with 1 where a file is not what it has to be. The hash
 * of an event is the SHA-256 of its content as canonical JSON (RFC 8785), and it names that of the event before it in its
 * stream. Its data fit their schema; its postings add up to zero; accounts hold what their entries say; what has ended has
 * nothing in flight. The signed checkpoints (C2SP notes) have the root of a Merkle tree (RFC 6962) over all hashes in the
 * order of the log. The export begins with some of them; KEY is what signs them, FILE has others that were kept.
 */
import { createPublicKey, hash, verify } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createGunzip } from 'node:zlib';

const sha256 = (text) => hash('sha256', text);
const ofBytes = (hex) => hash('sha256', Buffer.from(hex, 'hex'));

/** Canonical JSON: members in the order of their names' UTF-16 code units, and no spaces. */
export function canonical(value) {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  return `{${names.sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`)}}`;
}

/** A file may have been written to look like another answer: what would move the cursor stands there as its number. */
const printable = (text) =>
  text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (one) => `\\u{${one.codePointAt(0).toString(16)}}`);

/** Something that is not as it has to be: what, and where. */
export class Fault extends Error {
  constructor(what, { position, stream, revision, id } = {}) {
    const place = stream === undefined ? '' : `: at position ${position}, ${stream} revision ${revision}`;
    super(printable(`${what}${place}`));
    Object.assign(this, { name: 'Fault', what, position, stream, revision, id });
  }
}

function fail(what, event) {
  throw new Fault(what, event);
}

/** What the command line names cannot be used: one line that says what to change. */
export class Unusable extends Error {
  constructor(message, exitCode = 1) {
    super(printable(message));
    Object.assign(this, { name: 'Unusable', exitCode });
  }
}

/** Of an error that came of reading a file or a folder: it, or one that names the file. */
function reasonOf(error, path, expected) {
  if (error instanceof Fault || error instanceof Unusable) return error;
  if (error.code === 'ENOENT') return new Unusable(`There is no file or folder ${path}.`, 3);
  return new Unusable(`${path} is not ${expected}: ${error.message.replaceAll(/\s+/g, ' ')}`);
}

const namesIn = (said) => String(Object.keys(said ?? {}).sort());
const ofEvent = 'data,id,metadata,position,revision,stream,type';
/** Others would read otherwise a member that is there twice, or is no part of it, or a number that JavaScript rounds. */
const isLineOf = (event, line) =>
  [JSON.stringify, canonical].some((write) => write(event) === line) && namesIn(event) === ofEvent;

/** Streams, each with the revision and the hash of its last event. `add` gives the hash of the event. */
export class Chains {
  streams = new Map();
  /** Events without a hash: they are older than the chain, and before all that have one. */
  unsealed = 0;
  #isBegun = false;
  /** In the line of an export what is hashed stands as it was hashed, with the hash and the position between. */
  add(event, line = '') {
    const { data, id, metadata, position, revision, stream, type } = event;
    const last = this.streams.get(stream) ?? { revision: -1, hash: sha256(`daybook stream ${stream}`) };
    const next = last.revision + 1;
    if (revision !== next) fail(`revision ${next} of the stream is not there`, event);
    if (line !== '' && !isLineOf(event, line)) fail('the line is not the canonical JSON of the event', event);
    const hashed = () =>
      sha256(canonical({ data, id, metadata: { ...metadata, hash: undefined }, revision, stream, type }));
    const said = metadata.hash ?? hashed();
    const text = line.replace(`"hash":"${said}",`, '').replace(`"position":${position},`, '');
    if ((line === '' || sha256(text) !== said) && hashed() !== said)
      fail('the content of the event is not what its hash says', event);
    const isBare = metadata.hash === undefined;
    if (isBare && (this.#isBegun || metadata.previousHash)) fail('the event has no hash', event);
    if (!isBare && metadata.previousHash !== last.hash)
      fail('the event does not follow the one before it in its stream', event);
    this.#isBegun = !isBare;
    this.unsealed += Number(isBare);
    this.streams.set(stream, { revision, hash: said });
    return said;
  }
}

/** The Merkle tree of RFC 6962 over the hashes of events. */
export class Tree {
  size = 0;
  /** Roots of its whole subtrees, the largest first. */
  #roots = [];
  add(eventHash) {
    let node = ofBytes(`00${eventHash}`);
    for (let n = this.size; n % 2 === 1; n = (n - 1) / 2) node = ofBytes(`01${this.#roots.pop()}${node}`);
    this.#roots.push(node);
    this.size += 1;
  }
  root() {
    const [last = ofBytes(''), ...others] = this.#roots.toReversed();
    const root = others.reduce((right, left) => ofBytes(`01${left}${right}`), last);
    return Buffer.from(root, 'hex').toString('base64');
  }
}

/** The name, the key's short id, and the key itself. */
function partsOf(key) {
  const [, name, id, encoded] = /^([!-*,-~]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})$/.exec(key) ?? [];
  if (name) return [name, id, Buffer.from(encoded, 'base64').toString('base64url', 1)];
  throw new Unusable(`${key} is no key: one is like daybook/0199…+c74f20a3+ARpc…, as it is printed.`, 2);
}

/** The size and the root that a note says, which has to be signed by the key: <name>+<id>+<base64>. */
function opened(note, key) {
  const [name, id, x] = partsOf(key);
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const [text, signatures = ''] = note.split('\n\n');
  const [origin, size, root] = text.split('\n');
  const isSigned = signatures.split('\n').some((line) => {
    const bytes = Buffer.from(line.startsWith(`— ${name} `) ? line.split(' ')[2] : '', 'base64');
    if (bytes.toString('hex', 0, 4) !== id) return false;
    return verify(null, Buffer.from(`${text}\n`), publicKey, bytes.subarray(4));
  });
  if (!isSigned || origin !== name) fail(`the checkpoint of ${size} events is not signed by ${name}`);
  return [Number(size), root];
}

/** Roots by size, beside those that are known: none may say another root of as many events. */
export const rootsOf = (notes, key, known = []) =>
  notes.reduce((roots, note) => {
    const [size, root] = opened(note, key);
    if ((roots.get(size) ?? root) === root) return roots.set(size, root);
    return fail(`${partsOf(key)[0]} has signed two checkpoints of ${size} events, and their roots differ`);
  }, new Map(known));

/** Of a file with one note, or with what GET /audit/checkpoints has answered: roots by size. */
export function checkpointsIn(file, key) {
  const expected = 'a file of signed checkpoints: one note, or what GET /audit/checkpoints answers';
  try {
    const text = readFileSync(file, 'utf8');
    const notes = text.startsWith('{') ? JSON.parse(text).data?.map(({ note }) => note) : [text];
    if (!notes?.every((note) => /^.+\n\d+\n.+\n\n/.test(note)))
      throw new Unusable(`${file} is not ${expected}.`);
    return rootsOf(notes, key);
  } catch (error) {
    throw reasonOf(error, file, expected);
  }
}

const isEnd = ({ type, data }) =>
  ['TransactionCompleted', 'RefundCompleted'].includes(type) ||
  (/^Transaction(Failed|Rejected|Cancelled)$/.test(type) && data.refund === undefined);

/** A stream is named by what it is about, with a number behind where a platform of a sandbox was put back. */
const idOf = (kind, stream) => `${kind}:${/-([^.]*)/.exec(stream)?.[1]}`;

function post(sums, key, amount) {
  sums.set(key, (sums.get(key) ?? 0n) + amount);
  if (sums.get(key) === 0n) sums.delete(key);
}

export class Books {
  /** By platform: what postings add up to, by account and by payment, and currency. What is zero is not kept. */
  platforms = Object.create(null);
  #currencies = new Set();
  #sums = new Map();
  #homes = new Map();
  add(event) {
    const { type, stream, data, metadata } = event;
    const [id, [name, generation = 0]] = [metadata.platformId, stream.split('.')];
    if (type === 'InstallationFounded') this.isSandbox ??= data.environment === 'sandbox';
    // The platform of a sandbox goes on with copies; what comes to a stream that it has left counts for nobody.
    const gone = type === 'PlatformStateRestored' && (this.isSandbox || fail('no sandbox goes back', event));
    if (gone || !(id in this.platforms)) this.platforms[id] = [new Map(), new Map(), data.generation];
    for (const left of gone ? data.streams : []) this.#homes.set(left, id);
    if (generation < this.platforms[this.#homes.get(name)]?.[2]) return;
    const [accounts, inFlight] = this.platforms[id];
    const isEntry = type === 'AccountDebited' || type === 'AccountCredited';
    let moved = 0n;
    for (const { account, currency, minor } of data.postings ?? []) {
      const amount = BigInt(minor);
      this.#currencies.add(currency);
      post(this.#sums, currency, amount);
      if (account === 'in-flight') post(inFlight, `${data.transactionId} ${currency}`, amount);
      if (!account.startsWith('InternalAccount:')) continue;
      post(accounts, `${account} ${currency}`, amount);
      if (!isEntry || account !== data.accountId || currency !== data.amount.currency)
        fail(`the event is no entry of ${account} in ${currency}, and changes it`, event);
      moved += amount;
    }
    // Each event is one platform's. Where each balances by itself, the trial balance is zero at every position.
    for (const [currency, sum] of this.#sums) fail(`${type} is out of balance by ${sum} ${currency}`, event);
    if (isEntry) {
      const { accountId, amount, balanceAfter } = data;
      if (idOf('InternalAccount', stream) !== accountId)
        fail(`${accountId} has an entry in another stream`, event);
      const entered = BigInt(amount.minor) * (type === 'AccountDebited' ? -1n : 1n);
      if (moved !== entered) fail(`the entry is of ${entered}, and its postings are of ${moved}`, event);
      const [held, said] = [accounts.get(`${accountId} ${amount.currency}`) ?? 0n, BigInt(balanceAfter)];
      if (held !== said || held < 0n) fail(`${accountId} holds ${held}; its entry says ${said}`, event);
    }
    if (!isEnd(event) || metadata.copyOf) return;
    for (const currency of this.#currencies) {
      const open = inFlight.get(`${idOf('Transaction', stream)} ${currency}`);
      if (open) fail(`${type}, and ${open} ${currency} is in flight`, event);
    }
  }
}

const types = {
  null: (value) => value === null,
  array: Array.isArray,
  integer: Number.isInteger,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};
const ofType = (name) => types[name] ?? ((value) => typeof value === name);
const only = (is) => (fits) => (value) => !is(value) || fits(value);
const [ofText, ofNumbers, ofLists, ofObjects] = ['string', 'number', 'array', 'object'].map(ofType).map(only);
const justOneOf = (all) => (value) => all.filter((fits) => fits(value)).length === 1;
const someOf = (all) => (all.length === 1 ? all[0] : (value) => all.some((fits) => fits(value)));

/** By keyword: whether a value fits what a schema says. `format`, titles and descriptions say nothing more. */
const keywords = {
  type: (names) => someOf([names].flat().map(ofType)),
  const: (one) => (value) => value === one,
  enum: (members) => (value) => members.includes(value),
  pattern: (text, regex = new RegExp(text, 'u')) => ofText((value) => regex.test(value)),
  minLength: (least) => ofText((value) => value.length >= least),
  maxLength: (most) => ofText((value) => value.length <= most || [...value].length <= most),
  minimum: (least) => ofNumbers((value) => value >= least),
  maximum: (most) => ofNumbers((value) => value <= most),
  minItems: (least) => ofLists((value) => value.length >= least),
  items: (schema, fits = compile(schema)) => ofLists((value) => value.every(fits)),
  anyOf: (schemas) => someOf(schemas.map(compile)),
  oneOf: (schemas) => justOneOf(schemas.map(compile)),
  required: (names) => ofObjects((value) => names.every((name) => name in value)),
  properties: (schemas, members = Object.entries(schemas).map(([name, one]) => [name, compile(one)])) =>
    ofObjects((value) => members.every(([name, fits]) => value[name] === undefined || fits(value[name]))),
  propertyNames: (schema, fits = compile(schema)) => ofObjects((value) => Object.keys(value).every(fits)),
  additionalProperties: (one, fits = compile(one)) => ofObjects((value) => Object.values(value).every(fits)),
};

export function compile(schema) {
  const rules = Object.entries(schema).flatMap(([name, said]) => keywords[name]?.(said) ?? []);
  return rules.length === 1 ? rules[0] : (value) => rules.every((fits) => fits(value));
}

/** The schemas of a folder with a file for each type of event. */
export function schemasIn(folder) {
  let at = folder;
  try {
    const schemas = readdirSync(folder).map((file) => {
      at = join(folder, file);
      return JSON.parse(readFileSync(at, 'utf8'));
    });
    return new Map(schemas.map((schema) => [schema.title, compile(schema)]));
  } catch (error) {
    throw reasonOf(error, at, at === folder ? 'a folder of schemas' : 'a schema');
  }
}

/** `add` takes the events of a whole log, in order, and throws `Fault`; `result` says what was seen. */
export class Verifier {
  chains = new Chains();
  books = new Books();
  tree = new Tree();
  position = 0;
  #signed = 0;

  constructor({ schemas, checkpoints = [] } = {}) {
    Object.assign(this, { schemas, checkpoints: new Map(checkpoints) });
  }

  add(event, line) {
    const { position, type, data } = event;
    if (!(position > this.position) || typeof position === 'string') fail('positions do not grow', event);
    this.position = position;
    if (event.metadata.hash !== undefined) this.formerRoot ??= this.tree.root();
    this.tree.add(this.chains.add(event, line));
    const isSealed = data.events === this.chains.unsealed && data.root === this.formerRoot;
    if (type === 'LogSealed' && !isSealed) fail('an older event is not what was sealed', event);
    if (type === 'LogSealed') this.sealedAt = data.at;
    if (Number(position) !== this.tree.size) this.firstGap ??= event;
    const fits = this.schemas?.get(type);
    if (this.schemas && !fits) fail(`no schema for ${type}`, event);
    if (fits && !fits(data)) fail(`the data do not fit the schema of ${type}`, event);
    this.books.add(event);
    const { size } = this.tree;
    if (!this.checkpoints.has(size)) return;
    if (this.checkpoints.get(size) !== this.tree.root())
      fail(`of events ${this.#signed + 1} to ${size} one is not what the checkpoint was made of`, event);
    this.#signed = size;
  }

  /** `positions` is `dense` for a log whose positions are 1, 2, 3 and so on. Throws `Fault` where they are not. */
  result(positions) {
    const { position, chains, books, tree, checkpoints, sealedAt } = this;
    if (positions === 'dense' && this.firstGap) fail('an event before this one is missing', this.firstGap);
    for (const size of checkpoints.keys())
      if (size > tree.size) fail(`${tree.size} events are here, and a checkpoint was made of ${size}`);
    const accounts = Object.values(books.platforms).reduce((sum, [held]) => sum + held.size, 0);
    const counts = { streams: chains.streams.size, accounts, unsealed: chains.unsealed };
    const signed = { checkpoints: checkpoints.size, signed: this.#signed };
    return { events: tree.size, position, ...counts, sealedAt, root: tree.root(), ...signed, isRight: true };
  }
}

/** The longest event names the streams of a platform that was put back: some millions of characters. */
const lineMax = 1 << 24;

/** Many lines at once. How far it has come is told on standard error. */
async function* linesOf(file, tree) {
  const bytes = createReadStream(file, { highWaterMark: 1 << 20 });
  const whole = file.endsWith('.gz') ? bytes.pipe(createGunzip({ chunkSize: 1 << 20 })) : bytes;
  bytes.once('error', (error) => whole.destroy(error));
  let [rest, began, told] = ['', performance.now(), performance.now()];
  for await (const chunk of whole.setEncoding('utf8')) {
    rest += chunk;
    if (rest.length > lineMax + chunk.length) throw new Error(`a line of more than ${lineMax} characters`);
    if (!chunk.includes('\n')) continue;
    const lines = rest.split('\n');
    rest = lines.pop();
    yield lines;
    if (performance.now() - told < 2_000) continue;
    told = performance.now();
    const [seconds, share] = [(told - began) / 1000, bytes.bytesRead / statSync(file).size];
    const [rate, left] = [tree.size / seconds, seconds / share - seconds].map(Math.round);
    process.stderr.write(`${Math.floor(share * 100)} %  ${tree.size} events, ${rate}/s, ${left} s left\n`);
  }
}

/** Of an export: an event, or what the first or the last line says. */
function read(line, isFirst) {
  const said = JSON.parse(line);
  const isOther = ['export', ...(isFirst ? ['checkpoints,key', 'part'] : [])].includes(namesIn(said));
  if (isOther || (said?.stream && said.data && said.metadata)) return said;
  throw new Error(`no event: ${line.slice(0, 40)}`);
}

/** The first line may have checkpoints. The last one says what the export has; without it, it is not whole. */
export async function verifyFile(file, { key, schemas, checkpoints } = {}) {
  const verifier = new Verifier({ schemas, checkpoints });
  let [signer, end, at] = [undefined, undefined, 0];
  try {
    for await (const lines of linesOf(file, verifier.tree))
      for (const line of lines) {
        if (end) fail('a line follows the last one, which says how many events there are');
        const said = read(line, ++at === 1);
        if (said.stream) verifier.add(said, line);
        else if (said.checkpoints) {
          signer = key ?? said.key;
          verifier.checkpoints = rootsOf(said.checkpoints, signer, verifier.checkpoints);
          if (said.key !== signer) fail(`the export names ${said.key} as its key, which is ${signer}`);
        } else end = said.export;
        if (said.part || end?.after > 0 || end?.platformId) throw new Unusable(`${file} is no whole log.`);
      }
  } catch (error) {
    throw reasonOf(error, file, `an export of a log${at > 0 ? `, at line ${at}` : ''}`);
  }
  const [position, size] = [verifier.position, verifier.tree.size];
  if (!end) fail('the export is not whole: the last line, which says how many events there are, is missing');
  if (!['dense', 'growing'].includes(end.positions))
    fail('the last line does not say whether positions are dense or growing');
  const seen = verifier.result(end.positions);
  if (end.events !== size) fail(`the export is not whole: it has ${size} events of ${end.events}`);
  if (signer && seen.signed < size) fail(`the last ${size - seen.signed} events are in no checkpoint`);
  if (key && seen.signed === 0) fail('the export has no checkpoint, and none is given');
  if ((end.position ?? position) !== position) fail(`the last event is at ${position}, not ${end.position}`);
  return { ...seen, key: signer };
}

const usage = 'node verify.mjs LOG.ndjson[.gz] [--schemas FOLDER] [--key KEY] [--checkpoints FILE] [--json]';

/** Throws `Unusable` for what it does not know. */
function commandLine() {
  const [text, json] = [{ type: 'string' }, { type: 'boolean' }];
  const options = { schemas: text, key: text, checkpoints: text, json };
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (positionals.length !== 1) throw new Error('One export has to be named.');
    if (values.checkpoints && !values.key) throw new Error('--checkpoints needs --key.');
    if (values.key) partsOf(values.key);
    return { file: positionals[0], ...values };
  } catch (error) {
    throw new Unusable(`${error.message.replace(/\.?( To specify.*)?$/s, '.')} Usage: ${usage}`, 2);
  }
}

async function run() {
  const { file, schemas: folder, checkpoints: notes, key, json } = commandLine();
  let [said, text] = [];
  try {
    const checkpoints = notes && checkpointsIn(notes, key);
    said = await verifyFile(file, { schemas: folder && schemasIn(folder), checkpoints, key });
    const by = said.key ? ` by ${said.key}` : '';
    const sealed = said.sealedAt ? `sealed at ${said.sealedAt}` : 'sealed by nothing';
    const bare = said.unsealed > 0 ? `, ${said.unsealed} without a hash and ${sealed}` : '';
    text = `${said.events} events, ${said.signed} of them signed${by}${bare}. All is right. Root: ${said.root}`;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { name, message, ...fault } = error;
    [said, text] = [{ isRight: false, fault }, message];
    process.exitCode = 4;
  }
  process.stdout.write(`${json ? JSON.stringify(said) : text}\n`);
}

if (import.meta.main ?? process.argv[1] === import.meta.filename)
  await run().catch((error) => {
    if (!(error instanceof Unusable)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = error.exitCode;
  });
