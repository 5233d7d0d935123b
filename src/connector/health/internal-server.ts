// Liveness, readiness and metrics, on a port that is never public.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastify from 'fastify';
import { collectDefaultMetrics, Gauge, register as sharedRegistry, Registry } from 'prom-client';
import type { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { homePage } from '../../foundation/pages/home-page.plugin.js';
import { PROJECT_ROOT } from '../../foundation/process/project-root.js';
import type { Clock } from '../../kernel/clock.js';
import { FleetGauges } from './fleet-gauges.js';
import { judgeReadiness, type ReadinessCheck } from './readiness.js';

/** Of package.json. */
const { version: VERSION } = JSON.parse(readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8')) as {
  version: string;
};

export interface InternalServer {
  /** Makes readiness say no from now on, so that a load balancer sends no more requests. */
  notReady(reason: string): void;
  close(): Promise<void>;
}

export interface InternalServerOptions {
  /** Of its page. */
  readonly title: string;
  readonly host: string;
  readonly port: number;
  readonly database: TenantDatabase;
  readonly clock: Clock;
  readonly checks: readonly ReadinessCheck[];
}

/** @throws Error when the port is taken */
export async function startInternalServer(options: InternalServerOptions): Promise<InternalServer> {
  let refusal: string | undefined;
  const processRegistry = new Registry();
  collectDefaultMetrics({ register: processRegistry });
  new Gauge({
    name: 'connector_build_info',
    help: 'The program that runs: its version, and that of Node',
    labelNames: ['version', 'node'] as const,
    registers: [processRegistry],
  }).set({ version: VERSION, node: process.versions.node }, 1);
  const fleet = new FleetGauges(options.database, options.clock, processRegistry);
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
    const texts = [await processRegistry.metrics(), await sharedRegistry.metrics()];
    return reply.type(processRegistry.contentType).send(texts.join('\n'));
  });
  await server.register(
    homePage(options.title, 'The inner port of one process: never public.', [
      ['/health/live', 'whether it runs'],
      ['/health/ready', 'whether it can work, and what keeps it from that'],
      ['/metrics', 'figures for Prometheus'],
    ]),
  );
  await server.listen({ port: options.port, host: options.host });
  return {
    notReady(reason) {
      refusal = reason;
    },
    async close() {
      await server.close();
      processRegistry.clear();
    },
  };
}
