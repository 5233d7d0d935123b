// Liveness, readiness and metrics, on a port that is never public.
import fastify from 'fastify';
import { collectDefaultMetrics, register as ofTheRooms, Registry } from 'prom-client';
import type { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { Clock } from '../../kernel/clock.js';
import { FleetGauges } from './fleet-gauges.js';
import { judgeReadiness, type ReadinessCheck } from './readiness.js';

export interface InternalServer {
  /** Makes readiness say no from now on, so that a load balancer sends nobody any more. */
  notReady(reason: string): void;
  close(): Promise<void>;
}

export interface InternalServerOptions {
  readonly host: string;
  readonly port: number;
  readonly database: TenantDatabase;
  readonly clock: Clock;
  readonly checks: readonly ReadinessCheck[];
}

/** @throws Error when the port is taken */
export async function startInternalServer(options: InternalServerOptions): Promise<InternalServer> {
  let refusal: string | undefined;
  const ofTheProcess = new Registry();
  collectDefaultMetrics({ register: ofTheProcess });
  const fleet = new FleetGauges(options.database, options.clock, ofTheProcess);
  const server = fastify({ forceCloseConnections: true });
  server.get('/health/live', () => ({ status: 'alive' }));
  server.get('/health/ready', async (_, reply) => {
    const readiness =
      refusal === undefined
        ? await judgeReadiness(options.checks)
        : { status: 'not ready', reason: refusal, checks: [] };
    return reply.status(readiness.status === 'ready' ? 200 : 503).send(readiness);
  });
  server.get('/metrics', async (_, reply) => {
    await fleet.refresh();
    const texts = [await ofTheProcess.metrics(), await ofTheRooms.metrics()];
    return reply.type(ofTheProcess.contentType).send(texts.join('\n'));
  });
  await server.listen({ port: options.port, host: options.host });
  return {
    notReady(reason) {
      refusal = reason;
    },
    async close() {
      await server.close();
      ofTheProcess.clear();
    },
  };
}
