import { Button, Group, Text } from '@mantine/core';
import { apiQuery } from '../../api/client.js';
import type { SuggestionResponse } from '../../api/schema.js';
import { shownTime, t, word } from '../../messages/text.js';
import { DataTable } from '../../parts/data-table.js';
import { Loaded } from '../../parts/states.js';
import { ifMatch, useSaved } from './saved.js';

type Accepted = SuggestionResponse & { readonly proposals: readonly [SuggestionResponse['proposals'][number]] };
const hasProposal = (one: SuggestionResponse): one is Accepted => one.proposals.length > 0;

/** What exports have used and no rule or code matches, with proposals; one button accepts them all. */
export function Suggestions() {
  const suggestions = apiQuery.useQuery('get', '/api/v1/mapping/suggestions');
  const rules = apiQuery.useQuery('get', '/api/v1/mapping/rules', { params: { query: { limit: 1 } } });
  const version = rules.data?.version ?? 0;
  const { saved, failed } = useSaved();
  const save = apiQuery.useMutation('post', '/api/v1/mapping/rules/bulk', {
    onSuccess: (result) => {
      saved(version, result.version);
    },
    onError: failed,
  });
  const accept = (accepted: readonly SuggestionResponse[]) => {
    const upserts = accepted.filter(hasProposal).map(({ subject, sourceGroup, source, proposals: [proposal] }) => ({
      subject,
      source,
      target: proposal.target,
      ...(sourceGroup === null ? {} : { sourceGroup }),
      ...(proposal.targetGroup === null ? {} : { targetGroup: proposal.targetGroup }),
    }));
    save.mutate({ params: { header: ifMatch(version) }, body: { upserts, deletes: [] } });
  };
  return (
    <Loaded query={suggestions}>
      {({ data }) => (
        <>
          {data.some(hasProposal) ? (
            <Group mb="md">
              <Button
                loading={save.isPending}
                onClick={() => {
                  accept(data);
                }}
              >
                {t('mapping.acceptAll', { count: data.filter(hasProposal).length })}
              </Button>
            </Group>
          ) : null}
          <DataTable
            label={t('mapping.unmapped')}
            empty={t('mapping.allMapped')}
            rows={data}
            keyOf={({ subject, sourceGroup, source }) => `${subject} ${sourceGroup ?? ''} ${source}`}
            columns={[
              { header: t('mapping.kind'), cell: ({ subject }) => word('subject', subject) },
              {
                header: t('mapping.source'),
                cell: ({ sourceGroup, source, name }) => [sourceGroup, source, name].filter(Boolean).join(' · '),
              },
              { header: t('mapping.used'), isAmount: true, cell: ({ items }) => items },
              { header: t('mapping.lastSeen'), cell: ({ lastSeen }) => shownTime(lastSeen) },
              {
                header: t('mapping.proposal'),
                cell: (one) =>
                  hasProposal(one) ? (
                    <Group gap="xs">
                      <Text>
                        {one.proposals[0].target} ({word('because', one.proposals[0].because)})
                      </Text>
                      <Button
                        size="xs"
                        variant="default"
                        onClick={() => {
                          accept([one]);
                        }}
                      >
                        {t('mapping.accept')}
                      </Button>
                    </Group>
                  ) : (
                    t('mapping.noProposal')
                  ),
              },
            ]}
          />
        </>
      )}
    </Loaded>
  );
}
