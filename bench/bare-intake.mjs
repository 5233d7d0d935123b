// What the least costs that may answer a webhook: a bare Fastify that writes what has come meanwhile with one statement, and answers
// after its commit. It verifies nothing and wakes no worker.
import process from 'node:process';
import Fastify from 'fastify';
import pg from 'pg';

const [url] = process.argv.slice(2);
const client = new pg.Client({ connectionString: url });
await client.connect();
await client.query('CREATE TABLE IF NOT EXISTS bare_message (id text PRIMARY KEY, body text NOT NULL)');

let waiting = [];
let isWriting = false;

async function writeWaiting() {
  isWriting = true;
  while (waiting.length > 0) {
    const group = waiting;
    waiting = [];
    await client.query({
      name: 'group',
      text: 'INSERT INTO bare_message SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT DO NOTHING',
      values: [group.map(({ id }) => id), group.map(({ body }) => body)],
    });
    for (const { written } of group) written();
  }
  isWriting = false;
}

const app = Fastify();
app.addContentTypeParser('application/json', { parseAs: 'string' }, (_, body, done) => done(null, body));
app.post('/webhooks/:endpoint', async (request, reply) => {
  await new Promise((written) => {
    waiting.push({ id: request.headers['webhook-id'], body: request.body, written });
    if (!isWriting) void writeWaiting();
  });
  return reply.code(202).send();
});
await app.listen({ host: '127.0.0.1', port: 0 });
process.send({ port: app.server.address().port });
process.once('disconnect', async () => {
  await app.close();
  await client.end();
});
