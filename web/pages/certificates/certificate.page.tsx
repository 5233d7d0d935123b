import { Alert, Anchor, Card, Code, Group, Stack, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { apiQuery } from '../../api/client.js';
import type { CertificateResponse, CertifiedSideResponse } from '../../api/schema.js';
import { shownTime, t } from '../../messages/text.js';
import { shownCount } from '../../messages/values.js';
import { Amounts } from '../../parts/money.js';
import { Loaded, PageTitle, State } from '../../parts/states.js';
import { useAddress } from '../../shell/address.js';

/** As the set-up asks for them: the name is not certified, so it is the present one, and missing where the ERP does not answer. */
const OFFERED_COMPANIES = { params: { query: { limit: 100 } } } as const;

/** One certificate: the planned entries of an export beside those read back from the ledger, and the hashes to verify both. */
export function CertificatePage() {
  const { id } = useAddress();
  const certificate = apiQuery.useQuery('get', '/api/v1/certificates/{exportJobId}', {
    params: { path: { exportJobId: id } },
  });
  return (
    <>
      <PageTitle title={t('certificate.title', { number: certificate.data?.sequence ?? '' })}>
        <Anchor component={Link} to="/certificates">
          {t('certificate.all')}
        </Anchor>
      </PageTitle>
      <Loaded query={certificate}>
        {(data) => (
          <Stack>
            <Summary certificate={data} />
            <Sides certificate={data} />
            <Hashes certificate={data} />
          </Stack>
        )}
      </Loaded>
    </>
  );
}

function Summary({ certificate }: { readonly certificate: CertificateResponse }) {
  const { jobState, exportJobId, madeAt, items, mappingVersion, erpCompanyId, discrepancies } = certificate;
  const companies = apiQuery.useQuery('get', '/api/v1/erp/companies', OFFERED_COMPANIES, { retry: false });
  const erpName = companies.data?.data.find(({ id }) => id === erpCompanyId)?.name;
  return (
    <Card withBorder>
      <Group justify="space-between">
        <State state={jobState} />
        <Anchor component={Link} to={`/exports/${exportJobId}`}>
          {t('entry.export')}
        </Anchor>
      </Group>
      <Text>{t('certificate.items', { ...items })}</Text>
      <Text size="sm" c="dimmed">
        {[
          t('certificate.madeAt', { at: shownTime(madeAt) }),
          mappingVersion === null ? null : t('certificate.mapping', { version: mappingVersion }),
          erpCompanyId === null
            ? null
            : t('certificate.company', {
                company: erpName === undefined ? erpCompanyId : `${erpName} (${erpCompanyId})`,
              }),
          t('certificate.discrepancies', { number: discrepancies }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </Text>
    </Card>
  );
}

function Sides({ certificate: { planned, erp } }: { readonly certificate: CertificateResponse }) {
  return (
    <Table className="stacked" aria-label={t('certificate.sides')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('certificate.side')}</Table.Th>
          <Table.Th className="amount">{t('certificate.journalEntries')}</Table.Th>
          <Table.Th className="amount">{t('entry.debit')}</Table.Th>
          <Table.Th className="amount">{t('entry.credit')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        <Side name={t('certificates.planned')} side={planned} />
        {erp === null ? (
          <Table.Tr>
            <Table.Td data-label={t('certificate.side')}>{t('certificates.readBack')}</Table.Td>
            <Table.Td colSpan={3}>{t('certificate.notSearchable')}</Table.Td>
          </Table.Tr>
        ) : (
          <Side name={t('certificates.readBack')} side={erp} />
        )}
      </Table.Tbody>
    </Table>
  );
}

function Side({ name, side: { entries, totals } }: { readonly name: string; readonly side: CertifiedSideResponse }) {
  return (
    <Table.Tr>
      <Table.Td data-label={t('certificate.side')}>{name}</Table.Td>
      <Table.Td data-label={t('certificate.journalEntries')} className="amount">
        {shownCount(entries)}
      </Table.Td>
      <Table.Td data-label={t('entry.debit')} className="amount">
        <div>
          <Amounts amounts={totals.flatMap(({ debit }) => debit ?? [])} />
        </div>
      </Table.Td>
      <Table.Td data-label={t('entry.credit')} className="amount">
        <div>
          <Amounts amounts={totals.flatMap(({ credit }) => credit ?? [])} />
        </div>
      </Table.Td>
    </Table.Tr>
  );
}

function Hashes({ certificate }: { readonly certificate: CertificateResponse }) {
  const { planned, erp, previousHash, hash } = certificate;
  const isSame = planned.digest === erp?.digest;
  const isNothing = isSame && planned.entries === 0;
  return (
    <Card withBorder>
      <Stack gap="xs">
        {erp === null ? null : (
          <Alert color={isNothing ? 'gray' : isSame ? 'green' : 'red'}>
            {t(isNothing ? 'certificate.nothing' : isSame ? 'certificate.same' : 'certificate.other')}{' '}
            {isSame ? null : (
              <Anchor component={Link} to="/reconciliation" c="inherit" td="underline" inherit>
                {t('certificate.whatDiffers')}
              </Anchor>
            )}
          </Alert>
        )}
        <Hash name={t('certificate.plannedDigest')} value={planned.digest} />
        {erp === null ? null : <Hash name={t('certificate.readBackDigest')} value={erp.digest} />}
        <Hash name={t('certificate.hash')} value={hash} />
        {previousHash === null ? null : <Hash name={t('certificate.previousHash')} value={previousHash} />}
        <Text size="sm" c="dimmed">
          {t('certificate.chain')}
        </Text>
      </Stack>
    </Card>
  );
}

function Hash({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <Text size="sm">{name}</Text>
      <Code className="hash">{value}</Code>
    </div>
  );
}
