import { Alert, Button, Code, Text } from '@mantine/core';
import { apiQuery } from '../../api/client.js';
import type { AuditEntryResponse } from '../../api/schema.js';
import { shownTime, t, word } from '../../messages/text.js';
import { shownCount, shownWhen } from '../../messages/values.js';
import { DataTable } from '../../parts/table/data-table.js';
import { PAGED, rowsOf } from '../../parts/paged.js';
import { useNames } from '../../parts/people.js';
import { useMay } from '../../parts/roles.js';
import { Empty, Failed, Loaded, PageTitle } from '../../parts/states.js';
import { auditValues, type AuditValue } from './audit-values.js';

/** Who changed what, and whether the log is whole: for admins. */
export function AuditPage() {
  return useMay('admin') ? (
    <Log />
  ) : (
    <>
      <PageTitle title={t('nav.audit')} />
      <Empty text={t('needs.adminPage')} />
    </>
  );
}

function Log() {
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
            isLoadingMore={entries.isFetchingNextPage}
            columns={[
              { header: t('versions.when'), cell: ({ occurredAt }) => shownTime(occurredAt) },
              { header: t('versions.who'), cell: ({ actor }) => nameOf(actor) },
              {
                header: t('versions.what'),
                cell: ({ object, action }) => `${wordFor('audit-object', object)} ${word('audit-action', action)}`,
              },
              { header: t('audit.values'), cell: (entry) => <Values entry={entry} nameOf={nameOf} /> },
            ]}
          />
        )}
      </Loaded>
    </>
  );
}

type NameOf = (author: string) => string;

/** In words what was and is; all of the record, ids included, for who wants to see it. */
function Values({ entry, nameOf }: { readonly entry: AuditEntryResponse; readonly nameOf: NameOf }) {
  const { actor, object, objectId, requestId, before, after, hash } = entry;
  const values = auditValues(before, after);
  return (
    <div className="wrap">
      {values.map((value) => (
        <Text key={value.field} size="sm">
          {wordFor('audit-field', value.field)}: <Change value={value} nameOf={nameOf} />
        </Text>
      ))}
      <details>
        <summary>
          <Text span size="sm" c="dimmed">
            {t('audit.record')}
          </Text>
        </summary>
        <Code block className="record">
          {JSON.stringify({ actor, object, objectId, requestId, before, after, hash }, null, 2)}
        </Code>
      </details>
    </div>
  );
}

function Change({ value, nameOf }: { readonly value: AuditValue; readonly nameOf: NameOf }) {
  const { field, before, after } = value;
  const shown = (one: AuditValue['before']) => (one === null ? '–' : inWords(field, one, nameOf));
  return before === null ? (
    shown(after)
  ) : (
    <>
      <del>{shown(before)}</del> <ins>{shown(after)}</ins>
    </>
  );
}

/** In which group of words a field stands that has its values in common with others. */
const GROUPS: Readonly<Record<string, string>> = {
  role: 'role-of-member',
  failure_type: 'failure',
  outcome: 'decision-outcome',
  settled_as: 'discrepancies',
};

function inWords(field: string, value: string | number | boolean, nameOf: NameOf): string {
  if (typeof value !== 'string') {
    return typeof value === 'number' ? shownCount(value) : t(value ? 'audit.yes' : 'audit.no');
  }
  const when = shownWhen(value);
  if (when !== undefined) {
    return when;
  }
  const own = word(`audit-value-${field}`, value);
  return own === value ? word(GROUPS[field] ?? 'state', nameOf(value)) : own;
}

/** The column name, in words, where there is no better term for it. */
function wordFor(group: string, name: string): string {
  const found = word(group, name);
  return found === name ? name.replaceAll('_', ' ') : found;
}
