import { Button, Group } from '@mantine/core';
import type { MonthEndsResponse } from '../../api/schema.js';
import { shownMonth, t, word } from '../../messages/text.js';

/** A year, and the months on both sides of its ends. */
const SHOWN = 14;

interface MonthsProps {
  readonly months: MonthEndsResponse['data'];
  readonly chosen: string;
  readonly onChoose: (month: string) => void;
}

/** Which months there are, newest first, and which of them are signed off. */
export function Months({ months, chosen, onChoose }: MonthsProps) {
  return (
    <Group component="nav" gap="xs" mb="md" className="no-print" aria-label={t('monthEnd.months')}>
      {months.slice(0, SHOWN).map(({ month, state, missingEntries }) => (
        <Button
          key={month}
          size="compact-sm"
          variant={month === chosen ? 'light' : 'subtle'}
          aria-current={month === chosen ? 'true' : undefined}
          onClick={() => {
            onChoose(month);
          }}
        >
          {t('monthEnd.listed', { month: shownMonth(month), state: word('state', `month-${state}`), missingEntries })}
        </Button>
      ))}
    </Group>
  );
}
