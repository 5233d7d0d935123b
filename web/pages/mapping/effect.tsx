import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../api/client.js';
import type { RuleUpsertRequest } from '../../api/schema.js';
import { t } from '../../messages/text.js';
import { Failed } from '../../parts/states.js';
import { failingOf, MAX_PREVIEWED_RULES, plannedOtherwise, rulesWith } from './rules-with.js';

/** As many items as a preview of a rule looks at. */
const LOOKED_AT = 200;
const PAGE = 100;
const RECENT = 10;

/** What of a recent export would be booked otherwise by a rule that is not saved yet. */
export function Effect({ rule }: { readonly rule: RuleUpsertRequest }) {
  const look = useMutation({ mutationFn: previewWith });
  return (
    <Stack gap="xs" role="status">
      <Button
        variant="default"
        loading={look.isPending}
        disabled={rule.source === '' || rule.target === ''}
        onClick={() => {
          look.mutate(rule);
        }}
      >
        {t('effect.look')}
      </Button>
      {look.error === null ? null : <Failed error={look.error} />}
      {look.data === undefined ? null : look.data === null ? (
        <Text size="sm">{t('effect.noExport')}</Text>
      ) : (
        <Text size="sm">
          {t('effect.found', look.data)}{' '}
          <Anchor component={Link} to={`/previews/${look.data.id}`} size="sm">
            {t('effect.show')}
          </Anchor>
        </Text>
      )}
    </Stack>
  );
}

interface Found {
  readonly id: string;
  readonly entries: number;
  readonly different: number;
  readonly anew: number;
  readonly still: number;
  // It is the values of a message.
  readonly [name: string]: string | number;
}

/** @returns null before the first export */
async function previewWith(rule: RuleUpsertRequest): Promise<Found | null> {
  const jobs = dataOf(await api.GET('/api/v1/jobs', { params: { query: { limit: RECENT } } }));
  // A re-export of one entry says little.
  const [job] = [...jobs.data].sort((one, other) => other.numberOfItems - one.numberOfItems);
  if (job === undefined) {
    return null;
  }
  // One more is read than a preview takes, so that too many are noticed.
  const saved = await upTo(MAX_PREVIEWED_RULES + 1, async (after) =>
    dataOf(await api.GET('/api/v1/mapping/rules', { params: { query: { limit: PAGE, ...after } } })),
  );
  const others = saved
    .filter(({ id }) => id !== rule.id)
    .map(({ id, subject, sourceGroup, source, itemType, tagGroup, tag, targetGroup, target }) => ({
      // With their numbers, by which the API names the one that the rule overlaps.
      ...{ id, subject, sourceGroup, source, itemType, tagGroup, tag, targetGroup, target },
    }));
  const rules = rulesWith<RuleUpsertRequest>(others, rule);
  if (rules === undefined) {
    throw Object.assign(new Error(), { detail: t('effect.tooMany', { most: MAX_PREVIEWED_RULES }) });
  }
  // Compared with the rules there are, not with the books: there an entry may be reversed, or booked by an older rule.
  const now = await entriesOf(job.id, {});
  const then = await entriesOf(job.id, { rules: [...rules] });
  return {
    id: then.id,
    entries: then.entries.length,
    different: plannedOtherwise(now.entries, then.entries),
    ...failingOf(now.entries, then.entries),
  };
}

/** @param rules those of the newest version where there are none */
async function entriesOf(jobId: string, rules: { readonly rules?: RuleUpsertRequest[] }) {
  const { id } = dataOf(await api.POST('/api/v1/previews', { body: { jobId, skip: 0, limit: LOOKED_AT, ...rules } }));
  const entries = await upTo(LOOKED_AT, async (after) =>
    dataOf(
      await api.GET('/api/v1/previews/{id}/entries', { params: { path: { id }, query: { limit: PAGE, ...after } } }),
    ),
  );
  return { id, entries };
}

interface PageOf<Row> {
  readonly data: readonly Row[];
  readonly nextCursor: string | null;
}

/** The rows of so many pages as hold at most `most`. */
async function upTo<Row>(
  most: number,
  read: (after: { readonly after?: string }) => Promise<PageOf<Row>>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let next: string | null | undefined; next !== null && rows.length < most;) {
    const { data, nextCursor } = await read(next === undefined ? {} : { after: next });
    rows.push(...data);
    next = nextCursor;
  }
  return rows;
}

/** @throws the problem of the API */
function dataOf<Data>({ data, error }: { readonly data?: Data; readonly error?: unknown }): Data {
  if (data === undefined) {
    throw error as Error;
  }
  return data;
}
