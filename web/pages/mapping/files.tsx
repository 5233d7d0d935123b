import { Alert, Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api, apiQuery } from '../../api/client.js';
import { fileLink } from '../../api/reader.js';
import type { ImportResponse, RuleCountsResponse } from '../../api/schema.js';
import { t } from '../../messages/text.js';
import { shownCount } from '../../messages/values.js';
import { DataTable } from '../../parts/table/data-table.js';
import { Failed } from '../../parts/states.js';
import { RuleChanges } from '../../parts/diff.js';
import { Needs } from '../../parts/roles.js';
import { csvOf, shownText } from './rule-sheet.js';
import { ifMatch, useSaved } from './saved.js';

/** What is wrong with a file, as the API says it. */
interface Mistake {
  readonly line: number;
  readonly column: string | null;
  readonly detail: string;
}

interface Sent {
  readonly csv: string | ArrayBuffer;
  /** Of the dry run; without it this is one. */
  readonly checksum?: string;
  /** That the file is to change. */
  readonly version: number;
}

/** What an import would do, by its dry run. */
type Plan = Required<Sent> & Pick<ImportResponse, 'counts' | 'changes'>;

/** All rules as a file, out and in: what an import would change is shown before it is saved, and mistakes row by row. */
export function Files() {
  const rules = apiQuery.useQuery('get', '/api/v1/mapping/rules', { params: { query: { limit: 1 } } });
  const version = rules.data?.version ?? 0;
  // A file may be chosen before the version has come: with none it would be refused as if another person had saved.
  const versionNow = async () => (rules.data ?? (await rules.refetch()).data)?.version ?? 0;
  const { saved } = useSaved();
  const chooseAgain = useRef<() => void>(null);
  // Stays after a save without a response, which may be tried again.
  const [planned, setPlanned] = useState<Plan>();
  const send = useMutation({
    mutationFn: async (given: Sent | File) => {
      const {
        csv,
        checksum,
        version: seen,
      }: Sent = given instanceof File ? { csv: await csvOf(given), version: await versionNow() } : given;
      const query = checksum === undefined ? { dryRun: 'true' as const } : { dryRun: 'false' as const, checksum };
      const { data, error } = await api.POST('/api/v1/mapping/rules/import', {
        params: { query: { mode: 'merge', confirm: 'false', ...query }, header: ifMatch(seen) },
        // The API's document knows it as text only.
        body: '',
        bodySerializer: () => csv,
        headers: { 'content-type': 'text/csv' },
      });
      if (data === undefined) {
        throw Object.assign(new Error(), error, { text: shownText(csv) });
      }
      return { ...data, csv, seen };
    },
    onSuccess: ({ csv, seen, ...result }) => {
      setPlanned(result.saved ? undefined : { ...result, csv, version: seen });
      if (result.saved) {
        void saved(seen, result.version);
      }
    },
    onError: (error) => {
      if ('type' in error) {
        setPlanned(undefined);
      }
    },
  });
  return (
    <Stack>
      <Group>
        {(['csv', 'xlsx'] as const).map((format) => (
          <Button
            key={format}
            component="a"
            href={fileLink('/api/v1/mapping/rules/export', { format })}
            download
            variant="default"
          >
            {t(format === 'csv' ? 'files.download' : 'files.xlsx')}
          </Button>
        ))}
        <Needs role="bookkeeper">
          <FileButton
            accept=".csv,.xlsx,text/csv"
            resetRef={chooseAgain}
            onChange={(file) => {
              // A browser says nothing when the same file is chosen once more, as after its mistakes were corrected.
              chooseAgain.current?.();
              if (file !== null) {
                setPlanned(undefined);
                send.mutate(file);
              }
            }}
          >
            {(props) => (
              <Button {...props} loading={send.isPending}>
                {t('files.choose')}
              </Button>
            )}
          </FileButton>
        </Needs>
      </Group>
      <Needs role="bookkeeper" explained>
        <Text size="sm" c="dimmed">
          {t('files.note')}
        </Text>
      </Needs>
      {send.error === null ? null : <Mistakes error={send.error} />}
      {/* Not after it was taken back. */}
      {send.data?.saved === true && send.data.version >= version ? (
        <Alert color="green">{t('files.saved', send.data.counts)}</Alert>
      ) : null}
      {planned === undefined ? null : (
        <Preview
          planned={planned}
          isSaving={send.isPending}
          onSave={() => {
            send.mutate(planned);
          }}
        />
      )}
    </Stack>
  );
}

const sumOf = ({ added, changed, removed }: RuleCountsResponse) => added + changed + removed;

interface PreviewProps {
  readonly planned: Plan;
  readonly isSaving: boolean;
  readonly onSave: () => void;
}

/** What an import would change, with the button that saves it where it changes anything. */
function Preview({ planned, isSaving, onSave }: PreviewProps) {
  const all = sumOf(planned.counts);
  return (
    <>
      <Text>{all === 0 ? t('files.nothing') : t('files.would', planned.counts)}</Text>
      {all === 0 ? null : (
        <Group>
          <Button loading={isSaving} onClick={onSave}>
            {t('files.import')}
          </Button>
        </Group>
      )}
      <ShownOf shown={planned.changes.length} all={all} />
      <RuleChanges changes={planned.changes} />
    </>
  );
}

/** The API names the first of many; that there are more has to be said beside them. */
function ShownOf({ shown, all }: { readonly shown: number; readonly all: number }) {
  return shown < all ? <Text size="sm">{t('files.shown', { shown, all })}</Text> : null;
}

/** Each mistake beside the row that it is in. */
function Mistakes({ error }: { readonly error: unknown }) {
  const { errors, errorCount, text, message } = error as {
    readonly errors?: readonly Mistake[];
    readonly errorCount?: number;
    readonly text?: string;
    readonly message?: string;
  };
  const mistakes = errors?.filter(({ line }) => typeof line === 'number') ?? [];
  if (mistakes.length === 0) {
    // Of a lost connection the browser has words of its own, for programmers.
    const isOurs = message !== undefined && message !== '' && !(error instanceof TypeError);
    return <Failed error={isOurs ? { detail: message } : error} />;
  }
  const lines = text?.split(/\r\n|\n|\r/) ?? [];
  return (
    <Alert color="red" title={t('files.mistakes', { count: errorCount ?? mistakes.length })} role="alert">
      <ShownOf shown={mistakes.length} all={errorCount ?? mistakes.length} />
      <DataTable
        label={t('files.errorsOf')}
        empty=""
        rows={mistakes.map((mistake, index) => ({ ...mistake, index }))}
        keyOf={({ index }) => index.toString()}
        columns={[
          { header: t('files.row'), isAmount: true, cell: ({ line }) => shownCount(line) },
          { header: t('files.content'), cell: ({ line }) => <code>{lines[line - 1]?.replaceAll('"', '')}</code> },
          { header: t('files.column'), cell: ({ column }) => column ?? '–' },
          { header: t('files.mistake'), cell: ({ detail }) => detail },
        ]}
      />
    </Alert>
  );
}
