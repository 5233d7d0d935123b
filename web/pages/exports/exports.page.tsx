import { Anchor, Button, Group, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { keepPreviousData } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { apiQuery } from '../../api/client.js';
import { companyZone, shownTime, t, word } from '../../messages/text.js';
import { Choice } from '../../parts/choice.js';
import { dayOrNone, startOfDay } from '../../messages/company-days.js';
import { shownCount } from '../../messages/values.js';
import { DataTable } from '../../parts/table/data-table.js';
import { Amounts } from '../../parts/money.js';
import { PAGED, rowsOf } from '../../parts/paged.js';
import { Loaded, PageTitle, State } from '../../parts/states.js';
import { Needs } from '../../parts/roles.js';
import { chosenOf, useFilters } from '../../shell/address.js';
import { tellRefused } from '../../parts/refused.js';
import { Batches } from './batches.js';

const STATES = [
  '',
  'running',
  'completed',
  'completed_with_errors',
  'failed',
  'expired',
  'closed_by_platform',
] as const;
const STANDARD = { state: '', from: '', to: '' };

/** All exports, the newest first. */
export function ExportsPage() {
  const [filters, setFilters] = useFilters(STANDARD);
  const state = STATES.find((one) => one === filters.state) ?? '';
  const from = dayOrNone(filters.from);
  const to = dayOrNone(filters.to);
  const period = chosenOf({ from: startOf(from), to: startOf(to, 1) });
  const jobs = apiQuery.useInfiniteQuery(
    'get',
    '/api/v1/jobs',
    { params: { query: { ...period, ...(state === '' ? {} : { state }) } } },
    { ...PAGED, placeholderData: keepPreviousData },
  );
  const look = apiQuery.useMutation('post', '/api/v1/jobs/detections', {
    onSuccess: () => notifications.show({ message: t('exports.looking') }),
    onError: (error) => {
      tellRefused(error);
    },
  });
  return (
    <>
      <PageTitle title={t('nav.exports')}>
        <Needs role="bookkeeper" explained>
          <Button
            variant="default"
            loading={look.isPending}
            onClick={() => {
              look.mutate({});
            }}
          >
            {t('exports.look')}
          </Button>
        </Needs>
      </PageTitle>
      <Group mb="md" align="flex-end">
        <Choice
          label={t('export.state')}
          value={state}
          values={STATES}
          textOf={(value) => (value === '' ? t('exports.everyState') : word('state', value))}
          onChoose={(value) => {
            setFilters({ state: value });
          }}
        />
        {(['from', 'to'] as const).map((name) => (
          <TextInput
            key={name}
            type="date"
            label={t(`exports.${name}`)}
            value={filters[name]}
            onChange={(event) => {
              setFilters({ [name]: event.currentTarget.value });
            }}
          />
        ))}
      </Group>
      <Loaded query={{ ...jobs, data: rowsOf(jobs.data) }}>
        {(rows) => (
          <DataTable
            label={t('nav.exports')}
            empty={t(Object.keys(chosenOf({ state, from, to })).length === 0 ? 'exports.empty' : 'list.nothingFound')}
            rows={rows}
            keyOf={({ id }) => id}
            more={jobs.hasNextPage ? () => void jobs.fetchNextPage() : undefined}
            isLoadingMore={jobs.isFetchingNextPage}
            columns={[
              {
                header: t('export.detected'),
                cell: ({ id, detectedAt }) => (
                  <Anchor component={Link} to={`/exports/${id}`}>
                    {shownTime(detectedAt)}
                  </Anchor>
                ),
              },
              { header: t('export.state'), cell: ({ state }) => <State state={state} /> },
              { header: t('export.exported'), isAmount: true, cell: ({ successful }) => shownCount(successful) },
              { header: t('export.failed'), isAmount: true, cell: ({ failed }) => shownCount(failed) },
              { header: t('export.items'), isAmount: true, cell: ({ numberOfItems }) => shownCount(numberOfItems) },
              {
                header: t('item.amount'),
                isAmount: true,
                cell: ({ amounts }) => <Amounts amounts={amounts} />,
              },
            ]}
          />
        )}
      </Loaded>
      <Batches />
    </>
  );
}

/** @returns the moment at which a day begins for the company, so many days later; empty for no day */
const startOf = (day: string, daysLater = 0) => (day === '' ? '' : startOfDay(day, companyZone(), daysLater));
