import { Anchor, Button, Group, Modal, Stack, Text, Textarea, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { apiQuery } from '../../api/client.js';
import type { DiscrepancyActionRequest, DiscrepancyResponse } from '../../api/schema.js';
import { shownTime, t } from '../../messages/text.js';
import { DataTable } from '../../parts/table/data-table.js';
import { Money } from '../../parts/money.js';
import { PAGED, rowsOf } from '../../parts/paged.js';
import { Failed, Loaded } from '../../parts/states.js';
import { useStoredForm } from '../../parts/stored-form.js';
import { Needs } from '../../parts/roles.js';

const MAX_NOTE = 1_000;

type Action = DiscrepancyActionRequest['action'];

/** What is about to be done about which discrepancy; without id: nothing. */
interface Chosen {
  readonly id: string;
  readonly subject: string;
  readonly action: Action;
  readonly note: string;
}

/** What differs between the three sides, and what can be done about each. */
export function Discrepancies() {
  const form = useStoredForm<Chosen>('discrepancy', { id: '', subject: '', action: 'accept', note: '' });
  const found = apiQuery.useInfiniteQuery(
    'get',
    '/api/v1/discrepancies',
    { params: { query: { state: 'open' } } },
    PAGED,
  );
  return (
    <section aria-label={t('home.discrepancies')}>
      <Title order={2} size="h4" mb="sm">
        {t('home.discrepancies')}
      </Title>
      <Loaded query={{ ...found, data: rowsOf(found.data) }}>
        {(rows) => (
          <DataTable
            label={t('home.discrepancies')}
            empty={t('discrepancies.none')}
            rows={rows}
            keyOf={({ id }) => id}
            more={found.hasNextPage ? () => void found.fetchNextPage() : undefined}
            columns={[
              { header: t('discrepancies.what'), cell: ({ message }) => message.text },
              { header: t('discrepancies.subject'), cell: (one) => <Subject discrepancy={one} /> },
              { header: t('discrepancies.amount'), isAmount: true, cell: ({ money }) => <Money money={money} /> },
              { header: t('discrepancies.since'), cell: ({ firstSeenAt }) => shownTime(firstSeenAt) },
              {
                header: t('action.actions'),
                cell: (one) => (
                  <Actions
                    discrepancy={one}
                    onChoose={(action) => {
                      form.change({ id: one.id, subject: one.subject, action });
                    }}
                  />
                ),
              },
            ]}
          />
        )}
      </Loaded>
      <ActionForm form={form} />
    </section>
  );
}

/** The entry or the export that it is about; what is neither has only a name, as an entry of which nothing is known. */
function Subject({
  discrepancy: { class: kind, subject, accountingEntryId, exportJobId },
}: {
  readonly discrepancy: DiscrepancyResponse;
}) {
  if (accountingEntryId !== null && kind !== 'orphan-entry') {
    return (
      <Anchor component={Link} to={`/entries/${accountingEntryId}`} size="sm">
        {t('item.entry')}
      </Anchor>
    );
  }
  return exportJobId === null ? (
    subject
  ) : (
    <Anchor component={Link} to={`/exports/${exportJobId}`} size="sm">
      {t('export.title')}
    </Anchor>
  );
}

function Actions({
  discrepancy,
  onChoose,
}: {
  readonly discrepancy: DiscrepancyResponse;
  readonly onChoose: (action: Action) => void;
}) {
  return (
    <Needs role="bookkeeper" explained>
      <Group gap="xs">
        {discrepancy.actions.map((action) => (
          <Button
            key={action}
            size="xs"
            variant="default"
            onClick={() => {
              onChoose(action);
            }}
          >
            {t(`discrepancies.${action}`)}
          </Button>
        ))}
      </Group>
    </Needs>
  );
}

function ActionForm({ form }: { readonly form: ReturnType<typeof useStoredForm<Chosen>> }) {
  const { values, change, clear } = form;
  const queryClient = useQueryClient();
  const act = apiQuery.useMutation('post', '/api/v1/discrepancies/{id}/actions', {
    onSuccess: async () => {
      clear();
      await queryClient.invalidateQueries();
    },
  });
  const { id, subject, action, note } = values;
  return (
    <Modal
      opened={id !== ''}
      onClose={() => {
        act.reset();
        clear();
      }}
      title={t(`discrepancies.${action}`)}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          act.mutate({ params: { path: { id } }, body: { action, note: note.trim() } });
        }}
      >
        <Stack>
          <Text>{subject}</Text>
          <Textarea
            label={t('discrepancies.note')}
            required
            maxLength={MAX_NOTE}
            value={note}
            onChange={(event) => {
              change({ note: event.currentTarget.value });
            }}
            data-autofocus
          />
          {act.error === null ? null : <Failed error={act.error} />}
          <Button type="submit" loading={act.isPending}>
            {t(`discrepancies.${action}`)}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
