import { Alert, Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { apiQuery } from '../../api/client.js';
import type { SetupResponse, SetupStepResponse } from '../../api/schema.js';
import { t, word } from '../../messages/text.js';
import { Loaded, PageTitle, State } from '../../parts/states.js';
import { DriftFound } from '../../parts/drift.js';
import { AccountsForm } from './accounts-form.js';
import { CompanyForm } from './company-form.js';
import { ConnectionForm } from './connection-form.js';
import { ChosenAccounts, ChosenCompany, ChosenPolicies, ChosenSystem } from './chosen.js';
import { decidedBy, leftOutBy, type LeftOut } from './decided.js';
import { Decision } from './decision.js';
import { PlatformLink } from './platform-link.js';
import { PoliciesForm } from './policies-form.js';
import { TestForm } from './test-form.js';
import { AlertsForm } from './alerts-form.js';

interface Block {
  readonly name: 'connection' | 'company' | 'wallets' | 'bank' | 'exchange' | 'policies' | 'alerts' | 'test';
  /** Which checks of the API it answers. */
  readonly isOf: (check: string) => boolean;
  readonly form: (steps: readonly SetupStepResponse[]) => ReactNode;
  /** What was decided, by name; without it what the API says of it. */
  readonly decided?: (steps: readonly SetupStepResponse[]) => ReactNode;
}

const accountsForm = (steps: readonly SetupStepResponse[]) => <AccountsForm steps={steps} />;
const accounts = (steps: readonly SetupStepResponse[]) => <ChosenAccounts steps={steps} />;

/** In the order in which they are decided. What the API checks besides stands below them. */
const BLOCKS: readonly Block[] = [
  {
    name: 'connection',
    isOf: (check) => check === 'erp-reachable',
    form: () => <ConnectionForm />,
    decided: (steps) => <ChosenSystem otherwise={steps[0]?.detail} />,
  },
  {
    name: 'company',
    isOf: (check) => check === 'erp-company',
    form: () => <CompanyForm />,
    decided: (steps) => <ChosenCompany otherwise={steps[0]?.detail} />,
  },
  { name: 'wallets', isOf: (check) => check.startsWith('wallet-'), form: accountsForm, decided: accounts },
  {
    name: 'bank',
    isOf: (check) => /^(?:company-bank|out-of-pocket$|accounts-payable$)/.test(check),
    form: accountsForm,
    decided: accounts,
  },
  {
    name: 'exchange',
    isOf: (check) => /^(?:fx-rounding$|realized-fx$|fallback-)/.test(check),
    form: accountsForm,
    decided: accounts,
  },
  {
    name: 'policies',
    isOf: (check) => check === 'policies',
    form: () => <PoliciesForm />,
    decided: () => <ChosenPolicies />,
  },
  { name: 'alerts', isOf: (check) => check === 'alerts', form: () => <AlertsForm /> },
  { name: 'test', isOf: (check) => check === 'test-posting', form: () => <TestForm /> },
];

/** From nothing to the first export in eight decisions, each with a proposal. */
export function SetupPage() {
  const setup = apiQuery.useQuery('get', '/api/v1/setup');
  const { data: connection } = apiQuery.useQuery('get', '/api/v1/erp-connection', {}, { retry: false });
  // The checks of the API begin with the linked company.
  const proved = { connection: connection?.state === 'ok' };
  return (
    <>
      <PageTitle title={t('nav.setup')} />
      <SignedInAtErp />
      <Stack>
        <Loaded query={setup}>{(data) => <Decisions setup={data} proved={proved} />}</Loaded>
        <PlatformLink />
      </Stack>
    </>
  );
}

/** After a sign-in at the accounting system the browser comes back with the number of companies that it opens. */
function SignedInAtErp() {
  const navigate = useNavigate();
  const search = useRouterState({ select: ({ location }) => location.searchStr });
  const opened = /^\?opened=(\d{1,6})$/.exec(search)?.[1];
  return opened === undefined ? null : (
    <Alert
      color="green"
      mb="md"
      role="status"
      withCloseButton
      closeButtonLabel={t('action.close')}
      onClose={() => void navigate({ to: '/setup', search: {}, replace: true })}
    >
      {t('setup.opened', { count: Number(opened) })}
    </Alert>
  );
}

interface DecisionsProps {
  readonly setup: SetupResponse;
  readonly proved: Readonly<Partial<Record<Block['name'], boolean>>>;
}

function Decisions({ setup, proved }: DecisionsProps) {
  const { ready, steps, drift } = setup;
  const blocks = BLOCKS.map((block) => {
    const own = steps.filter(({ check }) => block.isOf(check));
    return { ...block, own, decision: proved[block.name] === true ? ('done' as const) : decidedBy(own) };
  });
  const next = blocks.find(({ decision }) => decision === 'open')?.name;
  const leftOut = leftOutBy(steps);
  const others = steps.filter(({ check }) => !BLOCKS.some(({ isOf }) => isOf(check)));
  return (
    <Stack>
      <Alert color={ready && leftOut.length === 0 ? 'green' : 'orange'} title={titleOf(ready, leftOut)}>
        {t('setup.progress', {
          done: blocks.filter(({ decision }) => decision !== 'open').length,
          of: blocks.length,
        })}
        {ready ? (
          <>
            {' '}
            <Anchor component={Link} to="/exports" c="inherit" td="underline" inherit>
              {t('setup.firstExport')}
            </Anchor>
          </>
        ) : null}
      </Alert>
      {blocks.map(({ name, own, decision, form, decided }, index) => (
        <Decision
          key={name}
          number={index + 1}
          title={t(`setup.block-${name}`)}
          why={t(`setup.why-${name}`)}
          decision={decision}
          isNext={name === next}
          findings={own}
          decided={decided?.(own)}
        >
          {form(own)}
        </Decision>
      ))}
      <section aria-label={t('setup.checks')}>
        <Title order={2} size="h4" mb="sm">
          {t('setup.checks')}
        </Title>
        <Stack gap="xs">
          {others.map(({ check, state, blocks: blocked, detail }) => (
            <Group key={check} wrap="nowrap" align="flex-start">
              <State state={state} />
              <Text size="sm" className="wrap">
                {detail} {state === 'open' ? word('blocks', blocked) : ''}
              </Text>
            </Group>
          ))}
        </Stack>
      </section>
      <DriftFound drift={drift} />
    </Stack>
  );
}

function titleOf(ready: boolean, leftOut: readonly LeftOut[]): string {
  if (!ready) {
    return t('setup.notReady');
  }
  const types = leftOut.map(({ itemType, currency }) => {
    const name = word('item-type', itemType);
    return currency === undefined ? name : `${name} (${currency})`;
  });
  return types.length === 0 ? t('setup.ready') : t('setup.readyExcept', { types: types.join(', ') });
}
