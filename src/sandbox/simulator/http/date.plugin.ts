import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { SimulatorClock } from '../clock/simulator-clock.js';
import type { HttpPlugin } from './http-plugin.js';

/** Dates every response by the simulator's clock. */
@Injectable()
export class DatePlugin implements HttpPlugin {
  constructor(private readonly simulatorClock: SimulatorClock) {}

  register(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (_request, reply, done) => {
      const date = this.simulatorClock.now().toUTCString();
      void reply.header('date', date);
      // The authorization server writes to the raw response.
      reply.raw.setHeader('date', date);
      done();
    });
  }
}
