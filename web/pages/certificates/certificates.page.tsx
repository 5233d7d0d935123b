import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { apiQuery } from '../../api/client.js';
import type { CertifiedSideResponse } from '../../api/schema.js';
import { shownTime, t } from '../../messages/text.js';
import { shownCount } from '../../messages/values.js';
import { DataTable } from '../../parts/table/data-table.js';
import { Amounts } from '../../parts/money.js';
import { PAGED, rowsOf } from '../../parts/paged.js';
import { Loaded, PageTitle, State } from '../../parts/states.js';

/** What each ended export has left in the books, read back from there. */
export function CertificatesPage() {
  const certificates = apiQuery.useInfiniteQuery('get', '/api/v1/certificates', {}, PAGED);
  return (
    <>
      <PageTitle title={t('nav.certificates')} />
      <Loaded query={{ ...certificates, data: rowsOf(certificates.data) }}>
        {(rows) => (
          <DataTable
            label={t('nav.certificates')}
            empty={t('certificates.none')}
            rows={rows}
            keyOf={({ sequence }) => sequence}
            more={certificates.hasNextPage ? () => void certificates.fetchNextPage() : undefined}
            columns={[
              {
                header: t('certificates.number'),
                cell: ({ sequence, exportJobId }) => (
                  <Anchor component={Link} to={`/certificates/${exportJobId}`}>
                    {sequence}
                  </Anchor>
                ),
              },
              { header: t('certificates.made'), cell: ({ madeAt }) => shownTime(madeAt) },
              {
                header: t('export.title'),
                cell: ({ exportJobId, jobState }) => (
                  <Anchor component={Link} to={`/exports/${exportJobId}`}>
                    <State state={jobState} />
                  </Anchor>
                ),
              },
              { header: t('certificates.planned'), isAmount: true, cell: ({ planned }) => <Side side={planned} /> },
              {
                header: t('certificates.readBack'),
                isAmount: true,
                cell: ({ erp }) => (erp ? <Side side={erp} /> : t('certificate.not-verifiable')),
              },
              {
                header: t('home.discrepancies'),
                isAmount: true,
                cell: ({ discrepancies }) => shownCount(discrepancies),
              },
            ]}
          />
        )}
      </Loaded>
    </>
  );
}

function Side({ side }: { readonly side: CertifiedSideResponse }) {
  return (
    <>
      {t('issue.entries', { entries: side.entries })}
      <Amounts amounts={side.totals.flatMap(({ debit }) => debit ?? [])} />
    </>
  );
}
