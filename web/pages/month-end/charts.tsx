import { SimpleGrid, Text, Title } from '@mantine/core';
import { apiQuery } from '../../api/client.js';
import { companyZone, dayOf, shownDay, shownTime, t, word } from '../../messages/text.js';
import { BarChart, MAX_SERIES } from '../../parts/figures/bar-chart.js';
import { monthLater, startOfDay } from '../../messages/company-days.js';
import { byDay, secondsToVerdict, type Chart } from './chart-data.js';

/** As many as the API gives at once. */
const MOST = 1_000;

/** How the exports of a month went: how many entries, what held some back, how long until the verdict. */
export function MonthCharts({ month }: { readonly month: string }) {
  const [from, to] = [startOf(month, 0), startOf(month, 1)];
  const jobs = apiQuery.useQuery('get', '/api/v1/jobs', { params: { query: { from, to, limit: MOST } } });
  const causesOf = (state?: 'snoozed' | 'left' | 'closed') =>
    [
      'get',
      '/api/v1/issues',
      { params: { query: { limit: MOST, ...(state === undefined ? {} : { state }) } } },
    ] as const;
  const issues = [
    apiQuery.useQuery(...causesOf()),
    apiQuery.useQuery(...causesOf('snoozed')),
    apiQuery.useQuery(...causesOf('left')),
    apiQuery.useQuery(...causesOf('closed')),
  ];
  if (jobs.data === undefined || jobs.data.data.length === 0) {
    return null;
  }
  // As the API lists them, the newest first; time goes from left to right.
  const exports = jobs.data.data.toReversed();
  const entries = byDay(
    exports.flatMap(({ detectedAt, successful, failed }) => [
      { day: dayOf(detectedAt), series: t('export.exported'), count: successful },
      { day: dayOf(detectedAt), series: t('export.failed'), count: failed },
    ]),
    MAX_SERIES,
    '',
  );
  const causes = byDay(
    issues
      .flatMap(({ data }) => data?.data ?? [])
      .filter(({ firstSeen }) => firstSeen >= from && firstSeen < to)
      .map(({ firstSeen, failureType, entries: count }) => ({
        day: dayOf(firstSeen),
        series: word('failure', failureType),
        count,
      })),
    MAX_SERIES,
    t('chart.others'),
  );
  const verdicts = exports.flatMap((job) => {
    const seconds = secondsToVerdict(job);
    return seconds === undefined ? [] : [{ name: shownTime(job.detectedAt), values: [seconds] }];
  });
  return (
    <section aria-label={t('chart.title')}>
      <Title order={3} size="h4" mb="sm">
        {t('chart.title')}
      </Title>
      {[jobs, ...issues].some(({ data }) => data !== undefined && data.nextCursor !== null) ? (
        <Text size="sm" mb="sm">
          {t('chart.partial', { most: MOST })}
        </Text>
      ) : null}
      <SimpleGrid cols={{ base: 1, md: 3 }}>
        <BarChart title={t('chart.entries')} {...withDays(entries)} shown={whole} />
        {causes.bars.length === 0 ? null : <BarChart title={t('chart.causes')} {...withDays(causes)} shown={whole} />}
        {verdicts.length === 0 ? null : (
          <BarChart
            title={t('chart.verdict')}
            series={[t('chart.seconds')]}
            bars={verdicts}
            shown={(seconds) => t('chart.secondsOf', { seconds })}
          />
        )}
      </SimpleGrid>
    </section>
  );
}

const whole = (count: number) => t('chart.count', { count });

const withDays = ({ series, bars }: Chart): Chart => ({
  series,
  bars: bars.map(({ name, values }) => ({ name: shownDay(name), values })),
});

/** @returns when a month begins for the company, so many months later */
const startOf = (month: string, later: number) => startOfDay(`${monthLater(month, later)}-01`, companyZone());
