// What each ratio has to keep to, in the order of a benchmark's results; one bar alone is that of all of them. Wide enough for
// a busy machine: a ratio that misses one is a regression, not noise. What was measured last: docs/benchmarks.md.

const bars = {
  planning: { atLeast: 0.2 },
  ledger: [{ atLeast: 0.3 }, { atLeast: 5 }],
  exporting: [{ atLeast: 2 }, { atMost: 1.25 }, { atLeast: 0.7 }],
  // Held by each build: a busy machine meets both sides alike, and an item's processor time and WAL are what a change makes worse unseen.
  pipeline: [
    { atLeast: 0.1 },
    { atLeast: 0.08 },
    { atLeast: 3 },
    { atMost: 10 },
    { atMost: 1.9 },
    { atMost: 100 },
    { atMost: 1.2 },
    { atLeast: 0.3 },
  ],
  'real-programs': [
    { atLeast: 0.3 },
    { atLeast: 0.3 },
    { atLeast: 0.35 },
    { atMost: 10 },
    { atMost: 10 },
    { atMost: 6 },
  ],
  burst: [{ atMost: 25 }, { atMost: 20 }, { atMost: 1.4 }],
  fairness: { atMost: 6 },
  processes: { atLeast: 0.6 },
  intake: [{ atMost: 6 }, { atLeast: 1.5 }, { atLeast: 0.3 }, { atMost: 5 }],
  connections: [{ atMost: 1.25 }, { atMost: 1.5 }],
  reconciling: [{ atMost: 1.1 }, { atLeast: 0.7 }],
  'reference-data': { atMost: 1.01 },
  'simulator-paging': { atMost: 1.5 },
  lists: [{ atMost: 1 }, { atMost: 1 }],
  start: { atMost: 0.95 },
  streams: [{ atMost: 1 }, { atLeast: 0.8 }],
};

/**
 * @param name of the benchmark
 * @param results in its order
 * @returns each with its `bar` in words, and whether it `keeps` it
 */
export function judged(name, results) {
  const own = bars[name];
  if (own === undefined || (Array.isArray(own) && own.length !== results.length)) {
    throw new Error(`${name} has ${results.length} results and not a bar for each: bench/bars.mjs`);
  }
  return results.map((result, index) => {
    const { atLeast, atMost } = Array.isArray(own) ? own[index] : own;
    const { ratio } = result;
    return atMost === undefined
      ? { ...result, bar: `at least ${atLeast}`, keeps: ratio >= atLeast }
      : { ...result, bar: `at most ${atMost}`, keeps: ratio <= atMost };
  });
}
