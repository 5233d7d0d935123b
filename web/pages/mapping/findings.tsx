import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { apiQuery } from '../../api/client.js';
import type { RuleResponse } from '../../api/schema.js';
import { t, word } from '../../messages/text.js';
import { DataTable } from '../../parts/table/data-table.js';
import { PAGED, rowsOf } from '../../parts/paged.js';
import { Loaded, State } from '../../parts/states.js';

/** Longest text that rules are searched for. */
const MAX_SEARCH = 100;

/** Rules that do not do what they seem to: each leads to the list of rules, where it is changed or removed. */
export function Findings() {
  const findings = apiQuery.useInfiniteQuery('get', '/api/v1/mapping/rules/findings', {}, { ...PAGED, retry: false });
  const first = findings.data?.pages[0];
  return (
    <Loaded query={{ ...findings, data: rowsOf(findings.data) }}>
      {(rows) => (
        <Stack>
          <Text size="sm" c="dimmed" role="status">
            {t('findings.note', { version: first?.version ?? 0 })}{' '}
            {first?.targetsChecked === false ? t('findings.targetsNotChecked') : null}
          </Text>
          <DataTable
            label={t('mapping.findings')}
            empty={t('findings.none')}
            rows={rows}
            keyOf={({ ruleId }) => ruleId}
            more={findings.hasNextPage ? () => void findings.fetchNextPage() : undefined}
            isLoadingMore={findings.isFetchingNextPage}
            columns={[
              { header: t('findings.rule'), cell: ({ rule }) => <ToRule rule={rule} /> },
              { header: t('findings.effect'), cell: ({ effect }) => <State state={effect} /> },
              { header: t('findings.detail'), cell: ({ message }) => <div className="wrap">{message.text}</div> },
            ]}
          />
        </Stack>
      )}
    </Loaded>
  );
}

function ToRule({ rule }: { readonly rule: RuleResponse }) {
  const { id, subject, sourceGroup, source, targetGroup, target } = rule;
  const search = source.slice(0, MAX_SEARCH);
  return (
    <div className="wrap">
      <Anchor renderRoot={(props) => <Link {...props} to="/mapping" search={{ tab: subject, search }} />}>
        {t('findings.leads', { id, source: joined(sourceGroup, source), target: joined(targetGroup, target) })}
      </Anchor>
      <Text size="sm" c="dimmed">
        {word('subject', subject)}
      </Text>
    </div>
  );
}

function joined(group: string | null, code: string): string {
  return [group, code].filter(Boolean).join(' / ');
}
