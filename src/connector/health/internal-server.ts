// Liveness, readiness and metrics, on a port that is never public.
import fastify from 'fastify';
import { collectDefaultMetrics, register } from 'prom-client';

export interface InternalServer {
  /** Makes readiness say no from now on, so that a load balancer sends nobody any more. */
  notReady(reason: string): void;
  close(): Promise<void>;
}

const CHECK_LIMIT_MS = 2_000;

/**
 * @param check resolves while the process can do its work
 */
export async function startInternalServer(
  host: string,
  port: number,
  check: () => Promise<void>,
): Promise<InternalServer> {
  let refusal: string | undefined;
  collectDefaultMetrics();
  const server = fastify({ forceCloseConnections: true });
  server.get('/health/live', () => ({ status: 'alive' }));
  server.get('/health/ready', async (_, reply) => {
    const reason = refusal ?? (await answersInTime(check));
    return reason === undefined
      ? { status: 'ready' }
      : reply.status(503).send({ status: 'not ready', reason });
  });
  server.get('/metrics', async (_, reply) => reply.type(register.contentType).send(await register.metrics()));
  await server.listen({ port, host });
  return {
    notReady(reason) {
      refusal = reason;
    },
    async close() {
      await server.close();
      register.clear();
    },
  };
}

/** @returns undefined when all is well, else a reason without details: the log has them */
async function answersInTime(check: () => Promise<void>): Promise<string | undefined> {
  const limit = new Promise<string>((resolve) => {
    setTimeout(() => {
      resolve('the database does not answer in time');
    }, CHECK_LIMIT_MS).unref();
  });
  const answer = check().then(
    () => undefined,
    () => 'the database does not answer',
  );
  return Promise.race([answer, limit]);
}
