// A connector that hangs keeps its connections open: a request to it neither fails nor ends. The reader is notified before long, all the
// same, and the request goes on: what became of it is known when it is answered.
import { reportReachable } from './reachable.js';

/** Longer than the connector itself waits for the platform, so that most slow answers come before it. */
const SILENCE_MS = 15_000;
const AGAIN_MS = 10_000;

const unanswered = new Map<string, ReturnType<typeof setTimeout>>();

/**
 * @param id of a request that begins
 * @param doesAnswer asks something that is answered at once: one slow request alone does not mean that the connector hangs
 */
export function awaitAnswer(id: string, doesAnswer: () => Promise<boolean>): void {
  const look = async () => {
    const isThere = await doesAnswer();
    if (unanswered.has(id)) {
      reportReachable(isThere);
      lookIn(AGAIN_MS);
    }
  };
  const lookIn = (ms: number) => {
    unanswered.set(
      id,
      setTimeout(() => void look(), ms),
    );
  };
  lookIn(SILENCE_MS);
}

/** @param id of a request that was answered, or has failed */
export function noteAnswered(id: string): void {
  clearTimeout(unanswered.get(id));
  unanswered.delete(id);
}
