import { Button, Checkbox, Group, Modal } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../api/client.js';
import type { RuleRequest, RuleResponse } from '../../api/schema.js';
import { t } from '../../messages/text.js';
import { useAccountNames, type ErpList } from '../../parts/erp-value.js';
import { DataTable } from '../../parts/table/data-table.js';
import { PAGED, rowsOf } from '../../parts/paged.js';
import { conditionsOf } from '../../parts/rules/rule-words.js';
import { SearchBox } from '../../parts/filters/search-box.js';
import { Loaded } from '../../parts/states.js';
import { useStoredForm } from '../../parts/stored-form.js';
import { Needs, useMay } from '../../parts/roles.js';
import { chosenOf, useDialog, useFilters } from '../../shell/address.js';
import { EMPTY_FORM, RuleForm, valuesOf } from './rule-form.js';
import { RulesBar } from './rules-bar.js';
import { ifMatch, useSaved } from './saved.js';

type Subject = RuleRequest['subject'];

/** The rules of one kind, with search, and a form to add or change one. */
export function Rules({ subject }: { readonly subject: Subject }) {
  const [{ search }, setFilters] = useFilters({ search: '' });
  const dialog = useDialog('rule');
  const form = useStoredForm(`rule ${subject}`, EMPTY_FORM);
  const query = { subject, ...chosenOf({ search }) };
  const rules = apiQuery.useInfiniteQuery(
    'get',
    '/api/v1/mapping/rules',
    { params: { query } },
    // What is selected stays so while the list that is searched for comes.
    { ...PAGED, placeholderData: keepPreviousData },
  );
  const version = rules.data?.pages[0]?.version;
  const edit = (rule: RuleResponse) => {
    form.change({ ...valuesOf(rule), changed: valuesOf(rule) });
    dialog.open();
  };
  return (
    <>
      <Group mb="md">
        <SearchBox
          value={search}
          onSearch={(text) => {
            setFilters({ search: text });
          }}
        />
        <Needs role="bookkeeper" explained>
          <Button
            onClick={() => {
              form.clear();
              dialog.open();
            }}
          >
            {t('mapping.add')}
          </Button>
        </Needs>
      </Group>
      <Loaded query={{ ...rules, data: rowsOf(rules.data) }}>
        {(rows) => (
          <RulesTable
            subject={subject}
            rows={rows}
            version={version ?? 0}
            onEdit={edit}
            more={rules.hasNextPage ? () => void rules.fetchNextPage() : undefined}
            isLoadingMore={rules.isFetchingNextPage}
          />
        )}
      </Loaded>
      <Needs role="bookkeeper">
        <Modal
          opened={dialog.isOpen}
          onClose={() => {
            dialog.close();
            form.clear();
          }}
          title={t(form.values.id === '' ? 'mapping.add' : 'mapping.change')}
          closeButtonProps={{ 'aria-label': t('action.close') }}
        >
          <RuleForm
            subject={subject}
            version={version}
            form={form}
            now={rowsOf(rules.data)?.find(({ id }) => id === form.values.id)}
            onSaved={dialog.close}
          />
        </Modal>
      </Needs>
    </>
  );
}

interface RulesTableProps {
  readonly subject: Subject;
  readonly rows: readonly RuleResponse[];
  readonly version: number;
  readonly onEdit: (rule: RuleResponse) => void;
  readonly more: (() => void) | undefined;
  readonly isLoadingMore: boolean;
}

/** Each rule with what can be done about it, alone or with others. */
function RulesTable({ subject, rows, version, onEdit, more, isLoadingMore }: RulesTableProps) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const { saved, failed } = useSaved();
  const remove = apiQuery.useMutation('delete', '/api/v1/mapping/rules/{id}', {
    // Until the list is read again it has the version before, with which nothing more can be removed.
    onSuccess: (result) => saved(version, result.version),
    onError: failed,
  });
  const chosen = rows.filter(({ id }) => selected.has(id));
  const mayChange = useMay('bookkeeper');
  const names = useAccountNames();
  return (
    <>
      {rows.length === 0 || !mayChange ? null : (
        <Checkbox
          mb="xs"
          // The rules that are still to be loaded would not be among them.
          label={more === undefined ? t('bulk.all') : t('bulk.allShown', { count: rows.length })}
          checked={chosen.length === rows.length}
          indeterminate={chosen.length > 0 && chosen.length < rows.length}
          onChange={(event) => {
            setSelected(new Set(event.currentTarget.checked ? rows.map(({ id }) => id) : []));
          }}
        />
      )}
      <DataTable
        label={t(`mapping.${subject}`)}
        empty={t('mapping.none')}
        rows={rows}
        keyOf={({ id }) => id}
        more={more}
        isLoadingMore={isLoadingMore}
        columns={[
          { header: t('mapping.number'), cell: ({ id }) => id },
          {
            header: t('mapping.source'),
            cell: ({ id, sourceGroup, source }) => (
              <Group gap="xs" wrap="nowrap">
                <Needs role="bookkeeper">
                  <Checkbox
                    aria-label={t('bulk.select', { source })}
                    checked={selected.has(id)}
                    onChange={() => {
                      setSelected(
                        new Set([...selected].filter((one) => one !== id).concat(selected.has(id) ? [] : id)),
                      );
                    }}
                  />
                </Needs>
                <span className="wrap">{[sourceGroup, source].filter(Boolean).join(' / ')}</span>
              </Group>
            ),
          },
          {
            header: t('mapping.when'),
            // A tag may be as long as a name.
            cell: (rule) => <span className={rule.tag === null ? 'words' : 'wrap'}>{conditionsOf(rule)}</span>,
          },
          {
            header: t('mapping.target'),
            cell: ({ targetGroup, target }) => (
              <>
                {[targetGroup, target].filter(Boolean).join(' / ')} {subject === 'account' ? names.get(target) : null}
              </>
            ),
          },
          ...(mayChange
            ? [
                {
                  header: t('action.actions'),
                  cell: (rule: RuleResponse) => (
                    <RuleActions
                      rule={rule}
                      removing={remove.isPending ? remove.variables.params.path.id : undefined}
                      onEdit={onEdit}
                      onRemove={() => {
                        remove.mutate({ params: { path: { id: rule.id }, header: ifMatch(version) } });
                      }}
                    />
                  ),
                },
              ]
            : []),
        ]}
      />
      <RulesBar
        key={chosen.map(({ id }) => id).join()}
        list={listOf(subject, chosen)}
        rules={chosen}
        version={version}
        onDone={() => {
          setSelected(new Set());
        }}
      />
    </>
  );
}

interface RuleActionsProps {
  readonly rule: RuleResponse;
  /** Of the rule that is being removed, if one is. */
  readonly removing: string | undefined;
  readonly onEdit: (rule: RuleResponse) => void;
  readonly onRemove: () => void;
}

function RuleActions({ rule, removing, onEdit, onRemove }: RuleActionsProps) {
  return (
    <Group gap="xs">
      <Button
        size="xs"
        variant="default"
        onClick={() => {
          onEdit(rule);
        }}
        aria-label={t('mapping.editOf', { source: rule.source })}
      >
        {t('action.edit')}
      </Button>
      <Button
        size="xs"
        variant="subtle"
        color="red"
        aria-label={t('mapping.removeOf', { source: rule.source })}
        loading={removing === rule.id}
        disabled={removing !== undefined}
        onClick={onRemove}
      >
        {t('action.remove')}
      </Button>
    </Group>
  );
}

/** From which list the rules get their values: dimensions have one each. */
function listOf(subject: Subject, rules: readonly RuleResponse[]): ErpList | undefined {
  if (subject !== 'tag') {
    return subject;
  }
  const [dimension, ...others] = new Set(rules.map(({ targetGroup }) => targetGroup));
  return dimension && others.length === 0 ? { dimension } : undefined;
}
