import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Clock } from '../../../kernel/clock.js';

/** Lets the bytes written so far leave before the connection breaks. */
const FLUSH_MS = 20;

/**
 * A body that stops in the middle: the first bytes, then the connection breaks.
 * @param truncateAt bytes that still come through
 */
export function brokenBody(text: string, truncateAt: number, socket: Socket, clock: Clock): Readable {
  async function* pieces(): AsyncGenerator<Buffer> {
    yield Buffer.from(text).subarray(0, truncateAt);
    await clock.sleep(FLUSH_MS);
    socket.destroy();
  }
  return Readable.from(pieces());
}

/** Body of an answer that a switch gives instead of the real one. */
export function switchedBody(status: number): string {
  return JSON.stringify({
    type: 'SWITCHED_FAILURE',
    message: `A failure switch answers ${status.toString()}.`,
  });
}
