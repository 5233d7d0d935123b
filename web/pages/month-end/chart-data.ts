// What the charts of a month show, from what the API lists.
import type { Bar } from '../../parts/figures/bar-chart.js';

export interface Chart {
  readonly series: readonly string[];
  readonly bars: readonly Bar[];
}

interface Counted {
  readonly day: string;
  readonly series: string;
  readonly count: number;
}

/**
 * Sums by day and series, each day that has something once.
 *
 * @param most series; the smallest of more are one series together
 * @param rest name of that one
 */
export function byDay(counted: readonly Counted[], most: number, rest: string): Chart {
  const sums = sumBy(counted, ({ series }) => series);
  const names = [...sums].sort(([, one], [, other]) => other - one).map(([name]) => name);
  const own = names.length > most ? names.slice(0, most - 1) : names;
  const series = names.length > most ? [...own, rest] : own;
  const days = [...new Set(counted.map(({ day }) => day))].sort();
  const bars = days.map((name) => {
    const ofDay = counted.filter(({ day }) => day === name);
    const sumsOfDay = sumBy(ofDay, (one) => (own.includes(one.series) ? one.series : rest));
    return { name, values: series.map((one) => sumsOfDay.get(one) ?? 0) };
  });
  return { series, bars };
}

function sumBy(counted: readonly Counted[], keyOf: (one: Counted) => string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const one of counted) {
    sums.set(keyOf(one), (sums.get(keyOf(one)) ?? 0) + one.count);
  }
  return sums;
}

interface Ended {
  readonly detectedAt: string;
  readonly finishedAt: string | null;
}

/** @returns seconds from the detection of an export to its verdict, undefined while it has none */
export function secondsToVerdict({ detectedAt, finishedAt }: Ended): number | undefined {
  return finishedAt === null ? undefined : (Date.parse(finishedAt) - Date.parse(detectedAt)) / 1_000;
}
