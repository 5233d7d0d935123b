import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { AccessRequirement } from '../../../foundation/http/access.js';
import { AppLogger } from '../../../foundation/logging/app-logger.js';
import { Clock } from '../../../kernel/clock.js';
import { includesRole } from '../../access/domain/role.js';
import { IdentifyCaller } from '../http/identify-caller.js';
import { IdentifyOperator } from '../http/identify-operator.js';

export const LOOK_EVERY_MS = 5_000;

/**
 * Ends a download with the right to it (S9): one that is read while it is sent takes as long as its reader likes, and reads what was
 * stored meanwhile.
 */
@Injectable()
export class DownloadRights {
  constructor(
    private readonly identifyCaller: IdentifyCaller,
    private readonly identifyOperator: IdentifyOperator,
    private readonly clock: Clock,
    private readonly appLogger: AppLogger,
  ) {}

  /**
   * Looks every five seconds whether the caller may still have the file, and cuts it off when not.
   * @param needed what the route demands of its caller
   */
  watch(request: FastifyRequest, needed: AccessRequirement | undefined, file: Readable): void {
    const closed = new AbortController();
    file.once('close', () => {
      closed.abort();
    });
    void this.cutOffWithoutRight(request, needed, file, closed.signal);
  }

  private async cutOffWithoutRight(
    request: FastifyRequest,
    needed: AccessRequirement | undefined,
    file: Readable,
    closed: AbortSignal,
  ): Promise<void> {
    do {
      await this.clock.sleep(LOOK_EVERY_MS, closed).catch(() => undefined);
      // Also one that had ended before it was watched.
      if (file.destroyed) {
        return;
      }
    } while (await this.isStillAllowed(request, needed));
    file.destroy();
  }

  private async isStillAllowed(request: FastifyRequest, needed: AccessRequirement | undefined): Promise<boolean> {
    return this.isAllowed(request, needed).catch((error: unknown) => {
      // What cannot be looked up now is looked up a moment later.
      this.appLogger.of('access').warn({ err: error }, 'download.right_not_checked');
      return true;
    });
  }

  private async isAllowed(request: FastifyRequest, needed: AccessRequirement | undefined): Promise<boolean> {
    switch (needed) {
      case 'operator':
        return (await this.identifyOperator.find(request)) !== undefined;
      case 'viewer':
      case 'bookkeeper':
      case 'admin': {
        const caller = await this.identifyCaller.find(request);
        return caller !== undefined && includesRole(caller.role, needed);
      }
      case 'public':
      case undefined:
        return false;
    }
  }
}
