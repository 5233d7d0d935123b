import { Group, Table, Text } from '@mantine/core';
import { t } from '../../messages/text.js';

export interface Bar {
  /** Of the bar, below it. */
  readonly name: string;
  /** In the order of the series; none is negative. */
  readonly values: readonly number[];
}

interface BarChartProps {
  readonly title: string;
  /** What the bars are stacked of, at most as many as there are colors. */
  readonly series: readonly string[];
  readonly bars: readonly Bar[];
  /** How a value is formatted. */
  readonly shown: (value: number) => string;
}

export const MAX_SERIES = 5;
const WIDTH = 640;
const HEIGHT = 160;
const GAP = 0.25;
/** So that a bar that is alone is no wall. */
const MAX_BAR = 48;

/** Bars over time. Its data stands below it as a table, too, for screen readers. */
export function BarChart({ title, series, bars, shown }: BarChartProps) {
  const sums = bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const highest = Math.max(...sums, Number.MIN_VALUE);
  const step = WIDTH / bars.length;
  const width = Math.min(step * (1 - GAP), MAX_BAR);
  return (
    <figure className="chart" aria-label={title}>
      <Group component="figcaption" gap="md" mb="xs">
        <Text fw={600}>{title}</Text>
        {series.length === 1
          ? null
          : series.map((name, index) => (
              <Text key={name} size="sm">
                <span className={`key series-${index.toString()}`} /> {name}
              </Text>
            ))}
      </Group>
      <div className="plot">
        <Text size="sm" c="dimmed" className="figure">
          {shown(Math.max(...sums, 0))}
        </Text>
        <svg viewBox={`0 0 ${WIDTH.toString()} ${HEIGHT.toString()}`} preserveAspectRatio="none" aria-hidden>
          {bars.map(({ name, values }, at) => (
            <g key={name} transform={`translate(${(at * step + (step - width) / 2).toString()})`}>
              {values.map((value, index) => {
                const below = values.slice(0, index).reduce((sum, one) => sum + one, 0);
                const top = HEIGHT - ((below + value) / highest) * HEIGHT;
                const height = (value / highest) * HEIGHT;
                return (
                  <rect key={series[index]} className={`series-${index.toString()}`} {...{ y: top, width, height }}>
                    <title>{`${name}: ${series[index] ?? ''} ${shown(value)}`}</title>
                  </rect>
                );
              })}
            </g>
          ))}
        </svg>
        <Group justify="space-between" wrap="nowrap">
          {[bars[0], ...(bars.length > 1 ? [bars.at(-1)] : [])].map((bar) => (
            <Text key={bar?.name} size="sm" c="dimmed">
              {bar?.name}
            </Text>
          ))}
        </Group>
      </div>
      <details>
        <summary>{t('chart.figures')}</summary>
        <Table className="stacked" aria-label={title}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('chart.when')}</Table.Th>
              {series.map((name) => (
                <Table.Th key={name} className="amount">
                  {name}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {bars.map(({ name, values }) => (
              <Table.Tr key={name}>
                <Table.Td data-label={t('chart.when')}>{name}</Table.Td>
                {values.map((value, index) => (
                  <Table.Td key={series[index]} data-label={series[index]} className="amount figure">
                    {shown(value)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </details>
    </figure>
  );
}
