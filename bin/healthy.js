// Ends with 0 where the service of this container runs: where it waits for a server, a restart mends nothing. For the health check of the image.
const { PORT = '', HOST = '' } = process.env;
const isAll = ['', '0.0.0.0', '::'].includes(HOST);
const host = isAll ? '127.0.0.1' : HOST.includes(':') ? `[${HOST}]` : HOST;
fetch(`http://${host}:${PORT || 8080}/healthz`).then(
  ({ ok }) => process.exit(ok ? 0 : 1),
  () => process.exit(1),
);
