import { Text } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import type { JobResponse, RunningJobResponse } from '../api/schema.js';
import { shownHour, t } from '../messages/text.js';
import { expectedEnd, platformTime } from './figures/expected-end.js';

const HURRY_SECONDS = 600;

/** Minutes and seconds until an export job expires, counted by the platform's clock as the server knows it. */
export function Clock({ secondsLeft }: { readonly secondsLeft: number }) {
  const [left, setLeft] = useState(secondsLeft);
  useEffect(() => {
    setLeft(secondsLeft);
  }, [secondsLeft]);
  useInterval(
    () => {
      setLeft((before) => Math.max(0, before - 1));
    },
    1_000,
    { autoInvoke: true },
  );
  const time = `${Math.floor(left / 60).toString()}:${(Math.floor(left) % 60).toString().padStart(2, '0')}`;
  return (
    <Text
      span
      role="timer"
      aria-label={t('clock.label', { time })}
      className={left < HURRY_SECONDS ? 'figure bad' : 'figure'}
    >
      {time}
    </Text>
  );
}

const WAITING_TEXTS = {
  platform: 'job.waiting.platform',
  'accounting-system': 'job.waiting.erp',
  connector: 'job.waiting.connector',
} as const;

/** Why a running export stands still, and when it goes on. */
export function WaitingNotice({ job }: { readonly job: JobResponse }) {
  // Undefined, too: an API of the release before gives neither.
  const at = job.nextAttemptAt ?? undefined;
  return at === undefined ? null : (
    <Text size="sm" mt="xs" role="status">
      {t(WAITING_TEXTS[job.waitingFor ?? 'connector'], { at: shownHour(at) })}
    </Text>
  );
}

/** When a running export is expected to end at the pace so far, against the hour that it has. */
export function RunningClock({ job }: { readonly job: RunningJobResponse }) {
  const end = expectedEnd(job, platformTime(job));
  return (
    <Text>
      {end === undefined ? null : (
        <>
          <span className={end > Date.parse(job.expiresAt) ? 'bad' : undefined}>
            {t('clock.expected', { at: shownHour(new Date(end).toISOString()) })}
          </span>
          {' · '}
        </>
      )}
      {t('home.left')} <Clock secondsLeft={job.secondsLeft} />
    </Text>
  );
}
