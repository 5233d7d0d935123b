import { Alert, Badge, Button, Group, Popover, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useId } from 'react';
import type { IssueResponse } from '../../api/schema.js';
import { shownDay, t } from '../../messages/text.js';
import { useMembers } from '../../parts/people.js';
import { useStoredForm } from '../../parts/stored-form.js';
import { dayIn, useHandling } from './use-handling.js';

/** Pixels of a message within a small window. */
const WIDTH = 260;

/** Who takes care of an issue, until when it waits, what was agreed; each can be taken back. */
export function Handling({ issue, myName }: { readonly issue: IssueResponse; readonly myName: string }) {
  const { assignee, note, snoozedUntil, bookedByHand } = issue.handling;
  // A day that has come stays noted, and the issue is open again.
  const putOffUntil = issue.state === 'snoozed' ? snoozedUntil : null;
  const { handle, isPending } = useHandling();
  const members = useMembers();
  const set = (changed: Partial<IssueResponse['handling']>, text: string, onSaved?: () => void) => {
    handle([issue], changed, text, onSaved);
  };
  return (
    <Stack gap={4} mt="sm">
      <Group gap="xs">
        {assignee === null ? null : (
          // A name may be longer than the card.
          <Badge variant="light" color="gray" tt="none" maw={WIDTH} title={assignee}>
            {t('issue.assigned', { name: assignee })}
          </Badge>
        )}
        {putOffUntil === null ? null : (
          <Badge variant="light" color="gray" tt="none">
            {t('issue.snoozed', { day: shownDay(putOffUntil) })}
          </Badge>
        )}
        {bookedByHand ? (
          <Badge variant="light" color="gray" tt="none">
            {t('issue.left')}
          </Badge>
        ) : null}
      </Group>
      {note === null ? null : (
        <Text size="sm" className="wrap note">
          {note}
        </Text>
      )}
      <Group gap={4}>
        {assignee === myName ? null : (
          <Action
            label={t('issue.take')}
            isPending={isPending}
            act={() => {
              set({ assignee: myName }, t('issue.assigned', { name: myName }));
            }}
          />
        )}
        <Words
          name={`assignee ${issue.issueKey}`}
          label={t('issue.assign')}
          value={assignee ?? ''}
          offered={members.flatMap(({ displayName }) => displayName ?? [])}
          onSave={(name, onSaved) => {
            set({ assignee: name }, name === null ? t('issue.unassigned') : t('issue.assigned', { name }), onSaved);
          }}
        />
        <Words
          name={`note ${issue.issueKey}`}
          label={t('issue.note')}
          isLong
          value={note ?? ''}
          onSave={(text, onSaved) => {
            set({ note: text }, t('setup.saved'), onSaved);
          }}
        />
        {putOffUntil === null ? (
          <Action
            label={t('issue.snooze')}
            isPending={isPending}
            act={() => {
              const day = dayIn(7);
              set({ snoozedUntil: day }, t('issue.snoozed', { day: shownDay(day) }));
            }}
          />
        ) : (
          <Action
            label={t('issue.wake')}
            isPending={isPending}
            act={() => {
              set({ snoozedUntil: null }, t('setup.saved'));
            }}
          />
        )}
        <Action
          label={t(bookedByHand ? 'issue.unleave' : 'issue.leave')}
          isPending={isPending}
          act={() => {
            set({ bookedByHand: !bookedByHand }, t(bookedByHand ? 'setup.saved' : 'issue.left'));
          }}
        />
      </Group>
    </Stack>
  );
}

interface ActionProps {
  readonly label: string;
  readonly isPending: boolean;
  readonly act: () => void;
}

function Action({ label, isPending, act }: ActionProps) {
  return (
    <Button size="compact-sm" variant="subtle" disabled={isPending} onClick={act}>
      {label}
    </Button>
  );
}

interface WordsProps {
  /** Under which the words are kept until they are saved. */
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly isLong?: boolean;
  /** What it may be, among others. */
  readonly offered?: readonly string[];
  /** Null: nothing stands there any more. */
  readonly onSave: (text: string | null, onSaved: () => void) => void;
}

/** Words that are not saved, after a refusal, a sign-in or a click elsewhere, stand there again when the field is opened. */
function Words({ name, label, value, isLong = false, offered = [], onSave }: WordsProps) {
  const [isOpen, { open, close }] = useDisclosure();
  // `was`: what stood there before the first of them was typed.
  const { values, change, clear } = useStoredForm<{ readonly text?: string; readonly was?: string }>(name, {});
  const { text = value, was = value } = values;
  const list = useId();
  const Field = isLong ? Textarea : TextInput;
  return (
    <Popover opened={isOpen} onChange={close} closeOnEscape={false} trapFocus withArrow>
      <Popover.Target>
        <Button size="compact-sm" variant="subtle" onClick={open}>
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown
        onKeyDown={({ key }) => {
          if (key === 'Escape') {
            close();
            clear();
          }
        }}
      >
        <form
          onSubmit={(event) => {
            event.preventDefault();
            close();
            onSave(text.trim() === '' ? null : text.trim(), clear);
          }}
        >
          <Stack gap="xs">
            <Field
              label={label}
              maxLength={isLong ? 1_000 : 200}
              {...(offered.length === 0 ? {} : { list })}
              value={text}
              onChange={(event: React.ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
                change({ text: event.currentTarget.value, was });
              }}
            />
            <datalist id={list}>
              {[...new Set(offered)].map((one) => (
                <option key={one} value={one} />
              ))}
            </datalist>
            {was === value || text === value ? null : (
              <Alert color="orange" role="alert" p="xs" maw={WIDTH} className="wrap">
                {t('issue.changedMeanwhile', { text: value === '' ? '–' : value })}
              </Alert>
            )}
            <Button type="submit" size="xs">
              {t('action.save')}
            </Button>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
