import { Alert, Button, Group, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { apiQuery } from '../../api/client.js';
import { fileLink } from '../../api/reader.js';
import type { MonthEndResponse } from '../../api/schema.js';
import { dayOf, shownMonth, shownTime, t } from '../../messages/text.js';
import { dayOrNone, latestMonth, monthLater, newestBegun } from '../../messages/company-days.js';
import { shownCount } from '../../messages/values.js';
import { useTyped } from '../../parts/filters/use-typed.js';
import { Empty, isMissing, Loaded, PageTitle, State } from '../../parts/states.js';
import { useFilters } from '../../shell/address.js';
import { AccountsTable, ControlTable } from './accounts-table.js';
import { ChangedFigures } from './changed-figures.js';
import { MonthCharts } from './charts.js';
import { MissingEntries, MonthDiscrepancies } from './missing.js';
import { Months } from './months.js';
import { SignOff } from './sign-off.js';

/** The month before this one, as YYYY-MM. */
const lastMonth = () => monthLater(dayOf(new Date().toISOString()).slice(0, 7), -1);

/** A part of a month, as while it is typed, is none. */
const isMonth = (text: string) => dayOrNone(`${text}-01`) !== '';

/** Whether a month is in the books, account by account beside the ledger's own figures, and who has signed that. */
export function MonthEndPage() {
  const [{ month: chosen }, setFilters] = useFilters({ month: '' });
  const months = apiQuery.useQuery('get', '/api/v1/month-ends', {}, { retry: false });
  const latest = latestMonth(new Date());
  // The newest in which something was posted.
  const month = isMonth(chosen) ? chosen : (newestBegun(months.data?.data ?? [], latest) ?? lastMonth());
  const [typed, type] = useTyped(month, (text) => {
    if (isMonth(text)) {
      setFilters({ month: text });
    }
  });
  const report = apiQuery.useQuery(
    'get',
    '/api/v1/month-ends/{month}',
    { params: { path: { month } }, headers: { accept: 'application/json' } },
    { enabled: !months.isPending, retry: false },
  );
  // Nothing was ever posted, and no company of the books is linked: then there is no list of months either.
  const isEmpty = months.data?.data.length === 0 || isMissing(months.error);
  const hasNone = chosen === '' && isEmpty && isMissing(report.error);
  const file = (format: string) => fileLink(`/api/v1/month-ends/${month}`, { format });
  if (hasNone) {
    return (
      <>
        <PageTitle title={t('nav.monthEnd')} />
        <Empty text={t('monthEnd.none')} />
      </>
    );
  }
  return (
    <>
      <PageTitle title={t('nav.monthEnd')}>
        <Group className="no-print" align="flex-end">
          <TextInput
            type="month"
            aria-label={t('monthEnd.month')}
            value={typed}
            max={latest}
            onChange={(event) => {
              type(event.currentTarget.value);
            }}
          />
          <Button component="a" variant="default" href={file('html')} target="_blank">
            {t('monthEnd.print')}
          </Button>
          <Button component="a" variant="default" href={file('xlsx')} download>
            XLSX
          </Button>
          <Button component="a" variant="default" href={file('csv')} download>
            CSV
          </Button>
        </Group>
      </PageTitle>
      <Months
        months={months.data?.data ?? []}
        chosen={month}
        onChoose={(other) => {
          setFilters({ month: other });
        }}
      />
      <Loaded query={report}>{(data) => (typeof data === 'string' ? null : <Report report={data} />)}</Loaded>
    </>
  );
}

function Report({ report }: { readonly report: MonthEndResponse }) {
  const { month, companyName, madeAt, reconciledAt, state, entries, missing, changedSinceSignOff, truncated } = report;
  const counts = [
    ['monthEnd.posted', entries.posted],
    ['monthEnd.drafts', entries.drafts],
    ['monthEnd.reversed', entries.reversed],
    ['monthEnd.missing', missing.length],
  ] as const;
  return (
    <Stack>
      <Group>
        <Title order={2} size="h3">
          {companyName}, {shownMonth(month)}
        </Title>
        <State state={`month-${state}`} />
      </Group>
      <Text c="dimmed">
        {t('monthEnd.made', { at: shownTime(madeAt) })}{' '}
        {reconciledAt === null
          ? t('monthEnd.notReconciled')
          : t('monthEnd.reconciled', { at: shownTime(reconciledAt) })}
      </Text>
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        {counts.map(([key, count]) => (
          <div key={key}>
            <Text size="sm" c="dimmed">
              {t(key)}
            </Text>
            <Text fw={600} size="xl" className="figure">
              {shownCount(count)}
            </Text>
          </div>
        ))}
      </SimpleGrid>
      <ChangedFigures changed={changedSinceSignOff} />
      {truncated ? <Alert color="orange">{t('monthEnd.truncated')}</Alert> : null}
      <SignOff report={report} key={month} />
      <ControlTable report={report} />
      <MissingEntries report={report} />
      <MonthDiscrepancies report={report} />
      <MonthCharts month={month} />
      <AccountsTable report={report} />
    </Stack>
  );
}
