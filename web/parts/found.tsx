import { Group, Text } from '@mantine/core';
import type { MoneyResponse } from '../api/schema.js';
import { Amounts } from './money.js';

/** How many rows a list has on all its pages, and what they add up to. */
export function Found({ text, amounts }: { readonly text: string; readonly amounts: readonly MoneyResponse[] }) {
  return (
    <Group mb="md" gap="xs" role="status">
      <Text>{text}</Text>
      <Text fw={600} component="div">
        <Amounts amounts={amounts} />
      </Text>
    </Group>
  );
}
