import { Anchor, Group, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { MonthEndResponse } from '../../api/schema.js';
import { shownDay, t, word } from '../../messages/text.js';
import { DataTable } from '../../parts/table/data-table.js';
import { Money, shownMoney } from '../../parts/money.js';
import { Empty } from '../../parts/states.js';
import { Subject, subjectOf } from '../../parts/issues/discrepancy-subject.js';

interface OfMonth {
  readonly report: MonthEndResponse;
}

/** What belongs to the month and is not in the books yet, and who has to act. */
export function MissingEntries({ report: { missing, missingTotals } }: OfMonth) {
  return (
    <section aria-label={t('monthEnd.missing')}>
      <Title order={3} size="h4" mb="sm">
        {t('monthEnd.missing')}
      </Title>
      {missingTotals.map(({ why, entries, money }) => (
        <Text key={`${why} ${money?.currency ?? ''}`} mb="xs">
          {word('missing', why)}: {t('issue.entries', { entries })}
          {money === null ? '' : `, ${shownMoney(money)}`}
        </Text>
      ))}
      <DataTable
        label={t('monthEnd.missing')}
        empty={t('monthEnd.nothingMissing')}
        rows={missing}
        keyOf={({ accountingEntryId }) => accountingEntryId}
        columns={[
          { header: t('item.date'), cell: ({ date }) => <span className="figure">{shownDay(date)}</span> },
          { header: t('item.supplier'), cell: ({ supplier }) => supplier ?? '–' },
          {
            header: t('item.outcome'),
            cell: ({ reason, advice, issueKey, accountingEntryId }) => (
              <div className="wrap">
                <Text fw={500}>{reason.text}</Text>
                <Text size="sm">{advice.text}</Text>
                <Group gap="xs">
                  {issueKey === null ? null : (
                    <Anchor component={Link} to={`/issues/${encodeURIComponent(issueKey)}`} size="sm" fw={600}>
                      {t('item.resolve')}
                    </Anchor>
                  )}
                  <Anchor component={Link} to={`/entries/${accountingEntryId}`} size="sm">
                    {t('item.why')}
                  </Anchor>
                </Group>
              </div>
            ),
          },
          { header: t('monthEnd.who'), cell: ({ who }) => <span className="words">{word('who', who)}</span> },
          { header: t('item.amount'), isAmount: true, cell: ({ money }) => <Money money={money} /> },
        ]}
      />
    </section>
  );
}

export function MonthDiscrepancies({ report: { discrepancies } }: OfMonth) {
  return (
    <section aria-label={t('home.discrepancies')}>
      <Title order={3} size="h4" mb="sm">
        {t('home.discrepancies')}
      </Title>
      {discrepancies.length === 0 ? <Empty text={t('discrepancies.none-open')} /> : null}
      {discrepancies.map((one) => (
        <Text key={one.id} className="wrap">
          {one.message.text} · <Subject {...subjectOf(one)} /> · {t('monthEnd.age', { days: one.ageDays })} ·{' '}
          <Money money={one.money} />
          {one.note === null ? '' : ` · ${one.note}`}
        </Text>
      ))}
    </section>
  );
}
