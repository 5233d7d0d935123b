import { Stack, Tabs } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { t } from '../../messages/text.js';
import { useAddress } from '../../shell/address.js';
import { PageTitle } from '../../parts/states.js';
import { Drift } from '../../parts/drift.js';
import { Files } from './files.js';
import { Findings } from './findings.js';
import { Rules } from './rules.js';
import { Suggestions } from './suggestions.js';
import { Vendors } from './vendors.js';
import { Versions } from './versions.js';

const TABS = {
  unmapped: Unmapped,
  account: Accounts,
  'tax-code': TaxCodes,
  tag: Dimensions,
  findings: Findings,
  vendors: Vendors,
  files: Files,
  versions: Versions,
};

/** Which code of the platform is which in the accounting system; what has no partner yet comes first. */
export function MappingPage() {
  const { tab } = useAddress();
  const navigate = useNavigate();
  const names = Object.keys(TABS) as (keyof typeof TABS)[];
  const shown = names.find((name) => name === tab) ?? 'unmapped';
  const Shown = TABS[shown];
  return (
    <>
      <PageTitle title={t('nav.mapping')} />
      <Tabs
        value={shown}
        onChange={(chosen) => void navigate({ to: '/mapping', search: { tab: chosen ?? 'unmapped' } })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {names.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(`mapping.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={shown}>
          <Shown />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

/** Also what had a partner that is there no more. */
function Unmapped() {
  return (
    <Stack gap="xl">
      <Suggestions />
      <Drift />
    </Stack>
  );
}

function Accounts() {
  return <Rules subject="account" />;
}

function TaxCodes() {
  return <Rules subject="tax-code" />;
}

function Dimensions() {
  return <Rules subject="tag" />;
}
