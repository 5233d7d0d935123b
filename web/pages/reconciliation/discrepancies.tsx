import { Button, Group, Modal, SegmentedControl, Stack, Text, Textarea, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../api/client.js';
import type { DiscrepancyActionRequest, DiscrepancyResponse } from '../../api/schema.js';
import { shownTime, t, word } from '../../messages/text.js';
import { DataTable } from '../../parts/table/data-table.js';
import { Money, shownMoney } from '../../parts/money.js';
import { PAGED, rowsOf } from '../../parts/paged.js';
import { Failed, Loaded } from '../../parts/states.js';
import { useNames } from '../../parts/people.js';
import { useStoredForm } from '../../parts/stored-form.js';
import { Needs } from '../../parts/roles.js';
import { useDialog, useFilters } from '../../shell/address.js';
import { Subject, subjectOf } from '../../parts/issues/discrepancy-subject.js';

const MAX_NOTE = 1_000;
const STATES = ['open', 'repaired', 'accepted'] as const;

type Action = DiscrepancyActionRequest['action'];

/** What is about to be done about which discrepancy; without id: nothing. */
interface Chosen {
  readonly id: string;
  readonly what: string;
  readonly subject: string;
  readonly path: string;
  readonly action: Action;
  readonly note: string;
}

const NOTHING: Chosen = { id: '', what: '', subject: '', path: '', action: 'accept', note: '' };

function chosenOf(discrepancy: DiscrepancyResponse, action: Action): Partial<Chosen> {
  const { id, message, money } = discrepancy;
  const { text, path } = subjectOf(discrepancy);
  const subject = money === null ? text : `${text} · ${shownMoney(money)}`;
  return { id, what: message.text, subject, path, action };
}

/** What differs between the three sides, and what can be done about each. */
export function Discrepancies() {
  const dialog = useDialog('discrepancy');
  const form = useStoredForm<Chosen>('discrepancy', NOTHING);
  const [filters, setFilters] = useFilters({ state: 'open' });
  const state = STATES.find((one) => one === filters.state) ?? 'open';
  const found = apiQuery.useInfiniteQuery('get', '/api/v1/discrepancies', { params: { query: { state } } }, PAGED);
  return (
    <section aria-label={t('home.discrepancies')}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          {t('home.discrepancies')}
        </Title>
        <SegmentedControl
          aria-label={t('export.state')}
          value={state}
          onChange={(chosen) => {
            setFilters({ state: chosen });
          }}
          data={STATES.map((value) => ({ value, label: word('state', value) }))}
        />
      </Group>
      <Loaded query={{ ...found, data: rowsOf(found.data) }}>
        {(rows) => (
          <DataTable
            label={t('home.discrepancies')}
            empty={t(`discrepancies.none-${state}`)}
            rows={rows}
            keyOf={({ id }) => id}
            more={found.hasNextPage ? () => void found.fetchNextPage() : undefined}
            columns={[
              { header: t('discrepancies.what'), cell: ({ message }) => message.text },
              { header: t('discrepancies.subject'), cell: (one) => <Subject {...subjectOf(one)} /> },
              { header: t('discrepancies.amount'), isAmount: true, cell: ({ money }) => <Money money={money} /> },
              { header: t('discrepancies.since'), cell: ({ firstSeenAt }) => shownTime(firstSeenAt) },
              state === 'open'
                ? {
                    header: t('action.actions'),
                    cell: (one) => (
                      <Actions
                        discrepancy={one}
                        onChoose={(action) => {
                          form.change({ ...NOTHING, ...chosenOf(one, action) });
                          dialog.open();
                        }}
                      />
                    ),
                  }
                : { header: t('discrepancies.settled'), cell: (one) => <Settled discrepancy={one} /> },
            ]}
          />
        )}
      </Loaded>
      <Modal
        // In another tab the address opens it without anything chosen.
        opened={dialog.isOpen && form.values.id !== ''}
        onClose={() => {
          dialog.close();
          form.clear();
        }}
        title={t(`discrepancies.${form.values.action}`)}
        closeButtonProps={{ 'aria-label': t('action.close') }}
      >
        <ActionForm form={form} onDone={dialog.close} />
      </Modal>
    </section>
  );
}

/** How, when, by whom and why. */
function Settled({ discrepancy }: { readonly discrepancy: DiscrepancyResponse }) {
  const { settledAs, settledAt, settledBy, note } = discrepancy;
  const nameOf = useNames();
  const how = [
    settledAs === null ? null : word('audit-value-settled_as', settledAs),
    settledAt === null ? null : shownTime(settledAt),
    settledBy === null ? null : nameOf(settledBy),
  ];
  return (
    <div className="wrap">
      <Text size="sm">{how.filter(Boolean).join(' · ')}</Text>
      {note === null ? null : <Text size="sm">{note}</Text>}
    </div>
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

interface ActionFormProps {
  readonly form: ReturnType<typeof useStoredForm<Chosen>>;
  readonly onDone: () => void;
}

function ActionForm({ form, onDone }: ActionFormProps) {
  const { values, change, clear } = form;
  const queryClient = useQueryClient();
  const act = apiQuery.useMutation('post', '/api/v1/discrepancies/{id}/actions', {
    onSuccess: async () => {
      onDone();
      clear();
      await queryClient.invalidateQueries();
    },
  });
  const { id, what, subject, path, action, note } = values;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        act.mutate({ params: { path: { id } }, body: { action, note: note.trim() } });
      }}
    >
      <Stack>
        <Text fw={600}>{what}</Text>
        <Text>
          <Subject text={subject} path={path} />
        </Text>
        <Text size="sm">{t(`discrepancies.about-${action}`)}</Text>
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
  );
}
