import { Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { saveFile } from '../../api/save-file.js';
import { t } from '../../messages/text.js';
import { Failed } from '../../parts/states.js';

interface RateFileProps {
  readonly csv: string | undefined;
  /** How many rates there are now. */
  readonly count: number;
  readonly error: unknown;
  readonly isSaving: boolean;
  readonly onSave: (csv: string, onSaved: () => void) => void;
}

/** All rates as a file, out and in: one that comes in takes the place of all, after that was agreed to. */
export function RateFile({ csv, count, error, isSaving, onSave }: RateFileProps) {
  const [chosen, setChosen] = useState<{ readonly name: string; readonly text: string }>();
  const chooseAgain = useRef<() => void>(null);
  const lines = chosen?.text.split(/[\r\n]+/).filter((line) => line.trim() !== '').length ?? 0;
  return (
    <Stack gap="xs">
      <Group>
        <FileButton
          accept=".csv,text/csv"
          resetRef={chooseAgain}
          onChange={(file) => {
            // A browser says nothing when the same file is chosen once more, as after its mistakes were corrected.
            chooseAgain.current?.();
            void file?.text().then((text) => {
              setChosen({ name: file.name, text });
            });
          }}
        >
          {(props) => (
            <Button {...props} variant="default">
              {t('rates.chooseFile')}
            </Button>
          )}
        </FileButton>
        {csv === undefined ? null : (
          <Button
            variant="default"
            onClick={() => {
              saveFile(new Blob([csv], { type: 'text/csv' }), 'exchange-rates.csv');
            }}
          >
            {t('rates.download')}
          </Button>
        )}
        <Text size="sm" c="dimmed">
          {t('rates.fileNote')}
        </Text>
      </Group>
      {chosen === undefined ? null : (
        <Group role="status">
          <Text size="sm">{t('rates.would', { name: chosen.name, lines: Math.max(0, lines - 1), count })}</Text>
          <Button
            loading={isSaving}
            onClick={() => {
              onSave(chosen.text, () => {
                setChosen(undefined);
              });
            }}
          >
            {t('rates.replace')}
          </Button>
        </Group>
      )}
      {error === null ? null : <Failed error={error} />}
    </Stack>
  );
}
