/**
 * A rail as an HTTP service, in one file and without dependencies: takes signed messages of Daybook, remembers payments in
 * memory, and tells Daybook how they ended. A real one keeps them in a database, and carries them.
 *
 *   RAIL_SECRET=whsec_… PORT=9000 DAYBOOK_URL=http://127.0.0.1:8080 node docs/examples/rail-server.mjs
 *
 * An operator, or a test, ends a payment with  POST /end  {"paymentId": "…", "ending": {"status": "settled"}}
 * and lets money arrive with                   POST /arrive  {"bankReference": …, "amount": …, "named": […]}
 */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { RAIL_SECRET = '', PORT = '9000', DAYBOOK_URL = 'http://127.0.0.1:8080' } = process.env;
const key = Buffer.from(RAIL_SECRET.replace('whsec_', ''), 'base64');
const toleranceSeconds = 300;
const bodyMaxBytes = 1024 * 1024;

// With an empty key anybody could sign.
if (key.length === 0) {
  process.stderr.write('RAIL_SECRET has to be that of Daybook: DAYBOOK_RAIL_SECRET, whsec_…\n');
  process.exit(2);
}

/** By payment id: what was taken, what was withdrawn before it came, and how it ended. */
const payments = new Map();

const macOf = (id, timestamp, body) =>
  createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();

function isSigned(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds)) return false;
  const expected = macOf(id, timestamp, body);
  return signatures.split(' ').some((one) => {
    const given = Buffer.from(one.replace('v1,', ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** Tells Daybook. What is not answered with 200 has to be told again. */
async function tell(event) {
  const body = Buffer.from(JSON.stringify(event));
  const [id, timestamp] = [randomUUID(), String(Math.floor(Date.now() / 1000))];
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${macOf(id, timestamp, body).toString('base64')}`,
  };
  const { status } = await fetch(`${DAYBOOK_URL}/rail/events`, { method: 'POST', headers, body });
  return status;
}

const statusOf = (known) => {
  if (!known || known.withdrawn) return { status: 'unknown' };
  return known.ending ?? { status: 'accepted', reference: known.reference, underway: true };
};

function answer({ type, payment }) {
  const known = payment && payments.get(payment.paymentId);
  switch (type) {
    case 'payment.submit':
      if (known?.withdrawn) return { status: 'failed', reason: 'OFFRAMP_FAILED' };
      if (!known) payments.set(payment.paymentId, { reference: `EX-${payment.reference}` });
      return statusOf(payments.get(payment.paymentId));
    case 'payment.status':
      return statusOf(known);
    case 'payment.withdraw':
      if (!known) payments.set(payment.paymentId, { withdrawn: true });
      return statusOf(known);
    case 'account.check':
      return { status: 'UNCHECKED' };
    default:
      return undefined;
  }
}

async function readBody(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > bodyMaxBytes) throw new Error('too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function handle(request) {
  const body = await readBody(request);
  if (request.url === '/end') {
    const { paymentId, ending } = JSON.parse(body);
    const known = payments.get(paymentId);
    if (!known) return [404, {}];
    known.ending = ending;
    return [200, { told: await tell({ type: 'payment.ended', paymentId, ending }) }];
  }
  if (request.url === '/arrive')
    return [200, { told: await tell({ type: 'money.arrived', ...JSON.parse(body) }) }];
  if (!isSigned(request.headers, body)) return [401, {}];
  const said = answer(JSON.parse(body));
  return said ? [200, said] : [400, {}];
}

const server = createServer((request, response) => {
  handle(request)
    .catch(() => [400, {}])
    .then(([status, said]) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(said));
    });
});
server.listen(Number(PORT), '127.0.0.1', () => {
  process.stdout.write(`rail at http://127.0.0.1:${server.address().port}\n`);
});
