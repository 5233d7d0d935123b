import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { SimulatorConfig } from '../simulator-config.js';
import { ApiError } from '../wire/api-error.js';

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

/** The control takes no credential, so it admits callers of this machine only, unless the configuration opens it. */
@Injectable()
export class ControlGuard implements CanActivate {
  constructor(private readonly simulatorConfig: SimulatorConfig) {}

  canActivate(context: ExecutionContext): boolean {
    const { socket, headers } = context.switchToHttp().getRequest<FastifyRequest>();
    const { origin } = headers;
    if (origin !== undefined && origin !== new URL(this.simulatorConfig.publicUrl).origin) {
      throw new ApiError(403, 'FORBIDDEN', 'The control accepts no request from a page of another site.');
    }
    if (!this.simulatorConfig.controlOpen && !LOOPBACK.test(socket.remoteAddress ?? '')) {
      throw new ApiError(
        403,
        'FORBIDDEN',
        'The control accepts requests of this machine only; SIMULATOR_CONTROL_OPEN opens it.',
      );
    }
    return true;
  }
}
