import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { tooManyRequests } from '../../foundation/http/too-many-requests.js';
import type { InstallationId } from '../../kernel/ids.js';

/** Bytes in memory at the same time: three of the largest files of an installation, and four such installations. */
const MAX_OF_INSTALLATION = 16 * 1_024 * 1_024;
const MAX_OF_PROCESS = 64 * 1_024 * 1_024;
const RETRY_MS = 5_000;

interface BodyUnderWay {
  isHandled: boolean;
  isClosed: boolean;
  readonly end: () => void;
}

/**
 * Bodies that are read or worked on. Each is kept in memory as a whole, and a caller may take half a minute to send one, so the
 * number of requests a minute alone would not bound them (S47).
 */
@Injectable()
export class BodiesUnderWay {
  private readonly open = new WeakMap<FastifyReply, BodyUnderWay>();
  private readonly bytes = new Map<InstallationId, number>();
  private total = 0;

  /**
   * Counts the body of a request, by the length that it announces, until it is broken off, or until its response has gone out
   * and nothing works on it any more: a caller who leaves ends the one, and not the other.
   * @throws Problem 429 when the installation or the process has too many under way
   */
  begin(request: FastifyRequest, reply: FastifyReply, installationId: InstallationId): void {
    // Broken off while its caller was looked up: nothing of it is read, and nothing would say that it has ended.
    if (reply.raw.destroyed) {
      return;
    }
    const length = lengthOf(request);
    const before = this.bytes.get(installationId) ?? 0;
    if (before + length > MAX_OF_INSTALLATION || this.total + length > MAX_OF_PROCESS) {
      throw tooManyRequests(RETRY_MS, 'bodies');
    }
    this.add(installationId, length);
    const body: BodyUnderWay = {
      isHandled: false,
      isClosed: false,
      end: () => {
        this.add(installationId, -length);
      },
    };
    this.open.set(reply, body);
    reply.raw.once('close', () => {
      body.isClosed = true;
      // What has not arrived whole is worked on by nothing.
      if (body.isHandled || !request.raw.complete) {
        this.end(reply, body);
      }
    });
  }

  /** To be called when a response is made, whether or not its caller is still there to take it. */
  handled(reply: FastifyReply): void {
    const body = this.open.get(reply);
    if (body !== undefined) {
      body.isHandled = true;
      if (body.isClosed) {
        this.end(reply, body);
      }
    }
  }

  private end(reply: FastifyReply, body: BodyUnderWay): void {
    this.open.delete(reply);
    body.end();
  }

  private add(installationId: InstallationId, length: number): void {
    const now = (this.bytes.get(installationId) ?? 0) + length;
    this.total += length;
    if (now > 0) {
      this.bytes.set(installationId, now);
    } else {
      this.bytes.delete(installationId);
    }
  }
}

/** In bytes; no more is read than the route takes. One that announces no length may have all of it. */
function lengthOf({ headers, routeOptions: { bodyLimit } }: FastifyRequest): number {
  const announced = Number(headers['content-length']);
  return announced >= 0 ? Math.min(announced, bodyLimit) : bodyLimit;
}
