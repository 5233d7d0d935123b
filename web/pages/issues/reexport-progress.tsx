import { Anchor, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { apiQuery } from '../../api/client.js';
import { t } from '../../messages/text.js';
import { State } from '../../parts/states.js';

/** Follows a re-export to its verdict. */
export function ReexportProgress({ id }: { readonly id: string }) {
  const reexport = apiQuery.useQuery('get', '/api/v1/reexports/{id}', { params: { path: { id } } });
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
