import { Injectable } from '@nestjs/common';
import { httpPlugin, type HttpPlugin } from '../../../foundation/http/http-plugin.js';
import { SimulatorClock } from '../clock/simulator-clock.js';

/** Dates every response by the simulator's clock. */
@Injectable()
export class DatePlugin {
  readonly plugin: HttpPlugin = httpPlugin('date', (fastify, _options, done) => {
    fastify.addHook('onRequest', (_request, reply, next) => {
      const date = this.simulatorClock.now().toUTCString();
      void reply.header('date', date);
      // The authorization server writes to the raw response.
      reply.raw.setHeader('date', date);
      next();
    });
    done();
  });

  constructor(private readonly simulatorClock: SimulatorClock) {}
}
