import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

// A thousand inputs at a door, none of which hangs or keeps the process busy for a second (I8). What else
// the machine does must not decide that: work is measured in CPU time of this process, which runs the connector, and an input
// that seems slow is sent again by itself, beside a harmless request. What hangs does so each time.

const INPUTS = 1_000;
const BATCH = 10;
const MAX_MS = 1_000;
const TRIES = 5;
/** So that one that never ends is named. */
const ENDLESS_MS = 30_000;

/** @returns the status of the answer to the input of this number */
type Send = (index: number) => Promise<number>;

interface Measured<T> {
  readonly result: T;
  /** Of this process, all its threads together. */
  readonly cpuMs: number;
  readonly wallMs: number;
}

/**
 * @param harmless a request that takes next to nothing
 * @returns how each input was answered
 * @throws Error that names the input that hangs
 */
export async function sendAll(send: Send, harmless: () => Promise<unknown>): Promise<readonly number[]> {
  const all: number[] = [];
  for (let start = 0; start < INPUTS; start += BATCH) {
    const indexes = Array.from({ length: BATCH }, (_, offset) => start + offset);
    const batch = await measured(() => Promise.all(indexes.map((index) => ending(index, send(index)))));
    all.push(...batch.result);
    // Together they took less than one may.
    if (Math.max(batch.cpuMs, batch.wallMs) > MAX_MS) {
      for (const index of indexes) {
        await expectBounded(index, send, harmless);
      }
    }
  }
  return all;
}

async function expectBounded(index: number, send: Send, harmless: () => Promise<unknown>): Promise<void> {
  let figures = '';
  for (let tried = 0; tried < TRIES; tried += 1) {
    const beside = await measured(harmless);
    const input = await measured(() => ending(index, send(index)));
    if (input.cpuMs <= MAX_MS && input.wallMs - beside.wallMs <= MAX_MS) {
      return;
    }
    figures = `${input.cpuMs.toFixed()} ms of CPU, ${input.wallMs.toFixed()} ms in all`;
  }
  throw new Error(`input ${index.toString()} takes ${figures}, each time`);
}

async function measured<T>(work: () => Promise<T>): Promise<Measured<T>> {
  const begun = performance.now();
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { result, cpuMs: (user + system) / 1_000, wallMs: performance.now() - begun };
}

async function ending(index: number, answer: Promise<number>): Promise<number> {
  const ended = new AbortController();
  const limit = sleep(ENDLESS_MS, undefined, { signal: ended.signal }).then(() => {
    throw new Error(`input ${index.toString()} never ends`);
  });
  try {
    return await Promise.race([answer, limit]);
  } finally {
    ended.abort();
    await limit.catch(() => undefined);
  }
}
