import { Button, Card, Collapse, Group, Stack, Text, Title } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { SetupStepResponse } from '../../api/schema.js';
import { t } from '../../messages/text.js';
import { State } from '../../parts/states.js';
import { Needs } from '../../parts/roles.js';
import type { Decided } from './decided.js';

/** Pixels that the longest word of a title needs. */
const WORDS = 220;

interface DecisionProps {
  readonly number: number;
  readonly title: string;
  /** What it is for, in a sentence. */
  readonly why: string;
  readonly decision: Decided;
  /** The first that is open shows its form. */
  readonly isNext: boolean;
  readonly findings: readonly SetupStepResponse[];
  /** What was decided, by name. */
  readonly decided?: ReactNode;
  readonly children: ReactNode;
}

/** One decision of the set-up: what was decided in a line, or the form in which it is decided. */
export function Decision({ number, title, why, decision, isNext, findings, decided, children }: DecisionProps) {
  const isDone = decision !== 'open';
  const [chosen, setChosen] = useState<boolean>();
  const isOpen = chosen ?? isNext;
  return (
    <Card withBorder component="section" aria-label={title}>
      <Group justify="space-between" align="flex-start">
        {/* Beside the buttons on a phone the words of a title would be broken. */}
        <Stack gap={2} className="wrap grow" miw={WORDS}>
          <Title order={2} size="h4">
            {number}. {title}
          </Title>
          <Text size="sm" c="dimmed">
            {why}
          </Text>
          {isDone && (decided !== undefined || decision === 'done') ? (
            <Text size="sm" component="div">
              {decided ?? findings.map(({ detail }) => detail).join(' ')}
            </Text>
          ) : null}
          {decision === 'done'
            ? null
            : findings
                .filter(({ state }) => state !== 'done')
                .map((finding) => (
                  <Text key={finding.check} size="sm">
                    {finding.detail}
                  </Text>
                ))}
        </Stack>
        <Group gap="xs" justify="flex-end">
          <State state={decision} />
          <Needs role="admin">
            <Button
              size="xs"
              variant="subtle"
              aria-expanded={isOpen}
              aria-label={t(isOpen ? 'setup.closeOf' : isDone ? 'setup.changeOf' : 'setup.beginOf', { title })}
              onClick={() => {
                setChosen(!isOpen);
              }}
            >
              {t(isOpen ? 'action.close' : isDone ? 'action.edit' : 'setup.begin')}
            </Button>
          </Needs>
        </Group>
      </Group>
      <Collapse expanded={isOpen} mt={isOpen ? 'md' : 0}>
        {isOpen ? (
          <Needs role="admin" explained>
            {children}
          </Needs>
        ) : null}
      </Collapse>
    </Card>
  );
}
