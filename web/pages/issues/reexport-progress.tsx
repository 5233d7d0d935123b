import { Anchor, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { apiQuery } from '../../api/client.js';
import { t } from '../../messages/text.js';
import { State } from '../../parts/states.js';

const OVER: ReadonlySet<string> = new Set([
  'refused',
  'completed',
  'completed_with_errors',
  'failed',
  'expired',
  'closed_by_platform',
]);

/** Id of the notice that a re-export has begun. */
export const noticeOf = (id: string): string => `reexport ${id}`;

/** Follows a re-export to its verdict; once that is there, the notice that one is to come goes. */
export function ReexportProgress({ id }: { readonly id: string }) {
  const reexport = apiQuery.useQuery('get', '/api/v1/reexports/{id}', { params: { path: { id } } });
  const isOver = OVER.has(reexport.data?.state ?? '');
  useEffect(() => {
    if (isOver) {
      notifications.hide(noticeOf(id));
    }
  }, [isOver, id]);
  if (reexport.data === undefined) {
    return null;
  }
  const { state, successful, failed, entries, problem, exportJobId } = reexport.data;
  return (
    <Group mt="sm" role="status">
      <State state={state} />
      <Text size="sm">{t('export.counts', { successful, failed, total: entries })}</Text>
      {problem === null ? null : <Text size="sm">{problem}</Text>}
      {exportJobId === null ? null : (
        <Anchor component={Link} to={`/exports/${exportJobId}`} size="sm">
          {t('entry.export')}
        </Anchor>
      )}
    </Group>
  );
}
