import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { SimulatorConfig } from '../simulator-config.js';
import { ApiError } from '../wire/api-error.js';

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/** The control takes no credential, so it admits callers of this machine only, unless the configuration opens it. */
@Injectable()
export class ControlGuard implements CanActivate {
  constructor(private readonly simulatorConfig: SimulatorConfig) {}

  canActivate(context: ExecutionContext): boolean {
    const { socket, headers } = context.switchToHttp().getRequest<FastifyRequest>();
    const { origin, host = '' } = headers;
    const { controlOpen, publicUrl } = this.simulatorConfig;
    const own = new URL(publicUrl);
    if (origin !== undefined && origin !== own.origin) {
      throw new ApiError(403, 'FORBIDDEN', 'The control accepts no request from a page of another site.');
    }
    // A page of another site can have its own name lead here, and then reads what its browser is answered.
    if (!controlOpen && ![own.hostname, ...LOOPBACK_NAMES].includes(host.replace(/:\d+$/, '').toLowerCase())) {
      throw new ApiError(403, 'FORBIDDEN', 'The control accepts requests to the name of this machine only.');
    }
    if (!controlOpen && !LOOPBACK.test(socket.remoteAddress ?? '')) {
      throw new ApiError(
        403,
        'FORBIDDEN',
        'The control accepts requests of this machine only; SIMULATOR_CONTROL_OPEN opens it.',
      );
    }
    return true;
  }
}
