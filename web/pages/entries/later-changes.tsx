import { Text } from '@mantine/core';
import type { ExplanationResponse } from '../../api/schema.js';
import { shownTime, t } from '../../messages/text.js';
import { Diff, RuleChanges } from '../../parts/diff.js';
import { useNames } from '../../parts/people.js';

/** What of the mapping was changed after the entry was booked, and by whom: only what concerns it. */
export function LaterChanges({ explanation: { laterChanges } }: { readonly explanation: ExplanationResponse }) {
  const nameOf = useNames();
  return laterChanges.map(({ version: { version, author, createdAt }, settings, rules }) => (
    <div key={version}>
      <Text mt="xs">{t('entry.changedSince', { version, author: nameOf(author), at: shownTime(createdAt) })}</Text>
      {settings.length === 0 ? null : <Diff differences={settings} />}
      {rules.length === 0 ? null : <RuleChanges changes={rules} />}
    </div>
  ));
}
