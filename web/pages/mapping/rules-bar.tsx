import { Button, Group, Paper, Text } from '@mantine/core';
import { useState } from 'react';
import { apiQuery } from '../../api/client.js';
import type { RuleResponse } from '../../api/schema.js';
import { t } from '../../messages/text.js';
import { ErpValue, type ErpList } from '../../parts/erp-value.js';
import { ifMatch, useSaved } from './saved.js';

interface RulesBarProps {
  /** What they lead to; of dimensions only where all lead to the same one. */
  readonly list: ErpList | undefined;
  readonly rules: readonly RuleResponse[];
  readonly version: number;
  readonly onDone: () => void;
}

/** Leads all selected rules to one value, or removes them: one version, which can be taken back. */
export function RulesBar({ list, rules, version, onDone }: RulesBarProps) {
  const [target, setTarget] = useState('');
  const { saved, failed } = useSaved();
  const save = apiQuery.useMutation('post', '/api/v1/mapping/rules/bulk', {
    onSuccess: (result) => {
      void saved(version, result.version);
      onDone();
    },
    onError: failed,
  });
  if (rules.length === 0) {
    return null;
  }
  const header = ifMatch(version);
  return (
    <Paper withBorder shadow="md" p="sm" mt="md" className="bulk" role="region" aria-label={t('bulk.rules')}>
      <Group align="flex-end">
        <Text fw={600}>{t('bulk.selected', { count: rules.length })}</Text>
        {list === undefined ? null : (
          <>
            <ErpValue list={list} label={t('bulk.target')} value={target} onChoose={setTarget} />
            <Button
              disabled={target === ''}
              loading={save.isPending}
              onClick={() => {
                const upserts = rules.map((rule) => ({ ...rule, target }));
                save.mutate({ params: { header }, body: { upserts, deletes: [] } });
              }}
            >
              {t('bulk.set')}
            </Button>
          </>
        )}
        <Button
          variant="default"
          loading={save.isPending}
          onClick={() => {
            save.mutate({ params: { header }, body: { upserts: [], deletes: rules.map(({ id }) => id) } });
          }}
        >
          {t('bulk.remove')}
        </Button>
        <Button variant="subtle" onClick={onDone}>
          {t('bulk.clear')}
        </Button>
      </Group>
    </Paper>
  );
}
