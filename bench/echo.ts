/** Express alone: reads the JSON of a body and answers with it. `PORT=… node bench/echo.ts` */
import express from 'express';

const app = express().disable('x-powered-by').set('etag', false);
app.use(express.json({ limit: '1mb' }));
app.post('/transfer-in', ({ body }, response) => void response.status(201).json(body));
const port = Number(process.env.PORT);
app.listen(port, '127.0.0.1', () => process.stdout.write(`ready at http://127.0.0.1:${port}\n`));
