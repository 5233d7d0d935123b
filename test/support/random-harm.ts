import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpProxy } from '../../src/erp-contract/http-proxy.js';
import type { ChildProgram } from '../../src/sandbox/launch/child-program.js';

const FROZEN_MS = 2_000;
/** The others stand still for a while. */
const KILLED = 0.7;

/** What was done to the programs and to what passes between them. */
export interface Harm {
  killed: number;
  frozen: number;
  lost: number;
}

/**
 * One program after the other dies, or stands still for up to two seconds, until it is over.
 * @param chance from 0 up to 1
 */
export async function harmPrograms(
  victims: readonly ChildProgram[],
  chance: () => number,
  over: AbortSignal,
  harm: Harm,
): Promise<void> {
  while (!over.aborted) {
    await sleep(200 + chance() * 1_300);
    const victim = victims[Math.floor(chance() * victims.length)];
    if (chance() < KILLED) {
      victim?.kill('SIGKILL');
      harm.killed += 1;
    } else {
      victim?.kill('SIGSTOP');
      harm.frozen += 1;
      await sleep(chance() * FROZEN_MS);
      victim?.kill('SIGCONT');
    }
  }
}

/** @param share of all messages that is lost, from 0 to 1, at the request and again at the answer */
export function loseMessages(lines: readonly HttpProxy[], share: number, chance: () => number, harm: Harm): void {
  const lose = () => {
    const isLost = chance() < share;
    harm.lost += isLost ? 1 : 0;
    return isLost ? 'cut' : true;
  };
  for (const line of lines) {
    line.boundaries = { onRequest: lose, onResponse: lose };
  }
}

/** Everything passes again. */
export function letPass(lines: readonly HttpProxy[]): void {
  for (const line of lines) {
    line.boundaries = {};
  }
}
