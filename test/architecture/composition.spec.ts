import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { pino } from 'pino';
import { AppModule } from '../../src/connector/app.module.js';
import { loadConnectorConfig } from '../../src/connector/connector-config.js';
import { TASKS } from '../../src/connector/task-handlers.js';
import { TaskQueue } from '../../src/connector/tasks/task-queue.js';
import { WorkerModule } from '../../src/connector/worker.module.js';
import { TenantDatabase } from '../../src/foundation/database/tenant-database.js';

const config = loadConnectorConfig({
  DATABASE_URL: 'postgres://nowhere.invalid/connector',
  CREDENTIAL_KEYS: `test:${Buffer.alloc(32).toString('base64')}`,
});
const logger = pino({ enabled: false });
const withoutConnections = [TenantDatabase, TaskQueue].map((provide) => ({
  provide,
  useFactory: () => ({}),
}));

/** Makes every provider and controller of a program; nothing is started. */
const compose = (program: typeof AppModule | typeof WorkerModule, role: 'api' | 'worker') =>
  NestFactory.create<NestFastifyApplication>(
    program.register({ config, logger, role }, withoutConnections),
    new FastifyAdapter(),
    { logger: false, abortOnError: false },
  );

describe('every dependency can be resolved', () => {
  it('of the API', async () => {
    await expect(compose(AppModule, 'api')).resolves.toBeDefined();
  });

  it('of the worker, and the provider of each task', async () => {
    const app = await compose(WorkerModule, 'worker');
    for (const row of TASKS) {
      expect(row.bind((type) => app.get(type, { strict: false })).kind).toBe(row.kind);
    }
  });
});
