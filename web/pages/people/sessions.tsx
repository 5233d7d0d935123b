import { Badge, Button, Group } from '@mantine/core';
import { apiQuery } from '../../api/client.js';
import { shownTime, t } from '../../messages/text.js';
import { DataTable } from '../../parts/table/data-table.js';
import { Loaded } from '../../parts/states.js';
import { useUnderWay } from '../../parts/table/under-way.js';
import { useChanged } from './changed.js';

/** The API's words, as it writes them: "Firefox on Windows". */
function shownDevice(device: string): string {
  const [browser = '', system] = device.split(' on ');
  const named = browser === 'a browser' ? t('sessions.browser') : browser;
  return system === undefined
    ? browser === 'an unknown device'
      ? t('sessions.unknown')
      : browser
    : t('sessions.on', { browser: named, system });
}

export function Sessions() {
  const sessions = apiQuery.useQuery('get', '/api/v1/sessions');
  const changed = useChanged();
  const end = apiQuery.useMutation('delete', '/api/v1/sessions/{id}', changed);
  const ending = useUnderWay('delete', '/api/v1/sessions/{id}');
  const endOthers = apiQuery.useMutation('delete', '/api/v1/sessions', changed);
  return (
    <Loaded query={sessions}>
      {({ data }) => (
        <>
          <Group mb="md">
            <Button
              variant="default"
              loading={endOthers.isPending}
              onClick={() => {
                endOthers.mutate({});
              }}
            >
              {t('sessions.endOthers')}
            </Button>
          </Group>
          <DataTable
            label={t('people.sessions')}
            empty={t('people.none')}
            rows={data}
            keyOf={({ id }) => id}
            columns={[
              {
                header: t('sessions.device'),
                cell: ({ device, current }) => (
                  <Group gap="xs">
                    {shownDevice(device)}
                    {current ? <Badge variant="light">{t('sessions.current')}</Badge> : null}
                  </Group>
                ),
              },
              { header: t('sessions.address'), cell: ({ address }) => address },
              { header: t('sessions.used'), cell: ({ lastUsedAt }) => shownTime(lastUsedAt) },
              {
                header: t('action.actions'),
                cell: ({ id, current, device }) =>
                  current ? null : (
                    <Button
                      size="xs"
                      variant="subtle"
                      color="red"
                      aria-label={t('sessions.endOf', { device: shownDevice(device) })}
                      loading={ending(id) !== undefined}
                      onClick={() => {
                        end.mutate({ params: { path: { id } } });
                      }}
                    >
                      {t('sessions.end')}
                    </Button>
                  ),
              },
            ]}
          />
        </>
      )}
    </Loaded>
  );
}
