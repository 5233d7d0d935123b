import { Alert, Button, NativeSelect, Stack, TextInput } from '@mantine/core';
import { apiQuery } from '../../api/client.js';
import type { RuleRequest, RuleResponse } from '../../api/schema.js';
import { t, word } from '../../messages/text.js';
import { ErpValue } from '../../parts/erp-value.js';
import { Failed } from '../../parts/states.js';
import type { useStoredForm } from '../../parts/stored-form.js';
import { Effect } from './effect.js';
import { ruleProblemAt } from './rule-problems.js';
import { ifMatch, useSaved } from './saved.js';

const NEW_RULE = {
  ...{ id: '', sourceGroup: '', source: '', itemType: '', tagGroup: '', tag: '' },
  ...{ targetGroup: '', target: '' },
};

const LABELS = {
  sourceGroup: 'mapping.sourceGroup',
  source: 'mapping.source',
  itemType: 'mapping.itemType',
  tagGroup: 'mapping.tagGroup',
  tag: 'mapping.tagOf',
  targetGroup: 'mapping.targetGroup',
  target: 'mapping.target',
} as const;

const MAX_LENGTH = 255;

/** `changed`: the rule as it was when the form was opened. */
export const EMPTY_FORM = { ...NEW_RULE, changed: NEW_RULE };

/** Types of entries whose lines are posted: of the others only the total is, and no rule decides about it. */
const ITEM_TYPES = [
  ...['card_purchase', 'card_invoice', 'atm_withdrawal', 'fee', 'refund', 'chargeback', 'cashback'],
  ...['out_of_pocket', 'mileage', 'per_diem', 'invoice'],
];

/** A rule as the form has it. */
export function valuesOf(rule: RuleResponse): typeof NEW_RULE {
  const { id, sourceGroup, source, itemType, tagGroup, tag, targetGroup, target } = rule;
  return {
    ...{ id, source, target, sourceGroup: sourceGroup ?? '', targetGroup: targetGroup ?? '' },
    ...{ itemType: itemType ?? '', tagGroup: tagGroup ?? '', tag: tag ?? '' },
  };
}

interface RuleFormProps {
  readonly subject: RuleRequest['subject'];
  /** Undefined until the list of rules has come: a save would be refused as if another person had saved. */
  readonly version: number | undefined;
  readonly form: ReturnType<typeof useStoredForm<typeof EMPTY_FORM>>;
  /** The rule that is changed, as it is saved now. */
  readonly now: RuleResponse | undefined;
  readonly onSaved: () => void;
}

/** Adds a rule or changes one, with its conditions. */
export function RuleForm({ subject, version, form, now, onSaved }: RuleFormProps) {
  const { values, change, clear } = form;
  const { saved } = useSaved();
  const save = apiQuery.useMutation('post', '/api/v1/mapping/rules/bulk', {
    onSuccess: (result) => {
      onSaved();
      clear();
      void saved(version ?? result.version, result.version);
    },
  });
  const wrongAt = (name: keyof typeof LABELS) => ruleProblemAt(save.error, name, t(LABELS[name]));
  const isAtField = (Object.keys(LABELS) as (keyof typeof LABELS)[]).some((name) => wrongAt(name) !== undefined);
  const first = subject === 'tag' ? 'sourceGroup' : 'source';
  const field = (name: keyof typeof LABELS, required: boolean) => (
    <TextInput
      label={t(LABELS[name])}
      maxLength={MAX_LENGTH}
      // Not the button that closes the dialog.
      data-autofocus={name === first ? true : undefined}
      required={required}
      value={values[name]}
      error={wrongAt(name)}
      onChange={(event) => {
        change({ [name]: event.currentTarget.value });
      }}
    />
  );
  const { id, sourceGroup, source, itemType, tagGroup, tag, targetGroup, target } = values;
  const groups = subject === 'tag' ? { sourceGroup, targetGroup } : {};
  // The API takes an empty condition as none.
  const rule = { ...(id === '' ? {} : { id }), subject, ...groups, source, itemType, tagGroup, tag, target };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (target === '' || version === undefined) {
          return;
        }
        save.mutate({ params: { header: ifMatch(version) }, body: { upserts: [rule], deletes: [] } });
      }}
    >
      <Stack>
        {subject === 'tag' ? field('sourceGroup', true) : null}
        {field('source', true)}
        <ItemType
          value={itemType}
          error={wrongAt('itemType')}
          onChoose={(chosen) => {
            // A tag is a condition only beside a type.
            change({ itemType: chosen, ...(chosen === '' ? { tagGroup: '', tag: '' } : {}) });
          }}
        />
        {itemType === '' ? null : (
          <>
            {field('tagGroup', tag !== '')}
            {field('tag', tagGroup !== '')}
          </>
        )}
        {subject === 'tag' ? (
          <ErpValue
            list="dimension"
            label={t(LABELS.targetGroup)}
            required
            value={targetGroup}
            error={wrongAt('targetGroup')}
            onChoose={(code) => {
              change({ targetGroup: code });
            }}
          />
        ) : null}
        <ErpValue
          list={subject === 'tag' ? { dimension: targetGroup } : subject}
          label={t(LABELS.target)}
          required
          value={target}
          error={wrongAt('target')}
          onChoose={(code) => {
            change({ target: code });
          }}
        />
        <ChangedMeanwhile was={values.changed} now={now} entered={values} />
        {/* What was found is of the rule as it was then. */}
        <Effect key={JSON.stringify(rule)} rule={rule} />
        {save.error === null || isAtField ? null : <Failed error={save.error} />}
        <Button type="submit" loading={save.isPending} disabled={version === undefined}>
          {t('action.save')}
        </Button>
      </Stack>
    </form>
  );
}

interface ChangedMeanwhileProps {
  readonly was: typeof NEW_RULE;
  readonly now: RuleResponse | undefined;
  readonly entered: typeof NEW_RULE;
}

/** The list behind the form is read again as others save, and with it the version: a save would replace theirs without a word. */
function ChangedMeanwhile({ was, now, entered }: ChangedMeanwhileProps) {
  const is = now === undefined ? was : valuesOf(now);
  return isSameRule(was, is) || isSameRule(entered, is) ? null : (
    <Alert color="orange" role="alert">
      {t('mapping.changedMeanwhile', { target: [is.targetGroup, is.target].filter(Boolean).join(' / ') })}
    </Alert>
  );
}

function isSameRule(one: typeof NEW_RULE, other: typeof NEW_RULE): boolean {
  return (Object.keys(NEW_RULE) as (keyof typeof NEW_RULE)[]).every((name) => one[name] === other[name]);
}

interface ItemTypeProps {
  readonly value: string;
  readonly error: string | undefined;
  readonly onChoose: (itemType: string) => void;
}

function ItemType({ value, error, onChoose }: ItemTypeProps) {
  // A file may have brought one that is none of these.
  const known = value === '' || ITEM_TYPES.includes(value) ? ITEM_TYPES : [...ITEM_TYPES, value];
  return (
    <NativeSelect
      label={t(LABELS.itemType)}
      value={value}
      error={error}
      data={[
        { value: '', label: t('mapping.everyType') },
        ...known.map((one) => ({ value: one, label: word('item-type', one) })),
      ]}
      onChange={(event) => {
        onChoose(event.currentTarget.value);
      }}
    />
  );
}
