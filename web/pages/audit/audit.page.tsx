import { Alert, Button, Code } from '@mantine/core';
import { apiQuery } from '../../api/client.js';
import { shownTime, t, word } from '../../messages/text.js';
import { DataTable } from '../../parts/data-table.js';
import { PAGED, rowsOf } from '../../parts/paged.js';
import { useNames } from '../../parts/people.js';
import { Failed, Loaded, PageTitle } from '../../parts/states.js';

/** Who changed what, and whether the log is whole. */
export function AuditPage() {
  const entries = apiQuery.useInfiniteQuery('get', '/api/v1/audit', {}, PAGED);
  const nameOf = useNames();
  const verification = apiQuery.useQuery('get', '/api/v1/audit/verification', {}, { enabled: false });
  return (
    <>
      <PageTitle title={t('nav.audit')}>
        <Button variant="default" loading={verification.isFetching} onClick={() => void verification.refetch()}>
          {t('audit.verify')}
        </Button>
      </PageTitle>
      {verification.data === undefined ? null : (
        <Alert mb="md" color={verification.data.intact ? 'green' : 'red'}>
          {t(verification.data.intact ? 'audit.intact' : 'audit.broken', { position: verification.data.verifiedUpTo })}
        </Alert>
      )}
      {verification.error === null ? null : <Failed error={verification.error} />}
      <Loaded query={{ ...entries, data: rowsOf(entries.data) }}>
        {(rows) => (
          <DataTable
            label={t('nav.audit')}
            empty={t('audit.none')}
            rows={rows}
            keyOf={({ position }) => position.toString()}
            more={entries.hasNextPage ? () => void entries.fetchNextPage() : undefined}
            columns={[
              { header: t('versions.when'), cell: ({ occurredAt }) => shownTime(occurredAt) },
              { header: t('versions.who'), cell: ({ actor }) => nameOf(actor) },
              {
                header: t('versions.what'),
                cell: ({ object, action }) => `${object} · ${word('audit-action', action)}`,
              },
              {
                header: t('audit.values'),
                cell: ({ before, after }) => <Code className="wrap">{JSON.stringify(after ?? before)}</Code>,
              },
            ]}
          />
        )}
      </Loaded>
    </>
  );
}
