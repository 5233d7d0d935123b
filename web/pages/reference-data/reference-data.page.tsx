import { Tabs } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { t } from '../../messages/text.js';
import { PageTitle } from '../../parts/states.js';
import { useAddress } from '../../shell/address.js';
import { CompareNow, Comparisons } from './comparisons.js';
import { Dimensions } from './dimensions.js';
import { Rates } from './rates.js';
import { KINDS, References } from './references.js';

/** What the platform has of the accounting system, what each of it is mapped to, when both were compared, and exchange rates. */
export function ReferenceDataPage() {
  const { tab } = useAddress();
  const navigate = useNavigate();
  const kind = KINDS.find((one) => one === tab);
  const shown = kind ?? (tab === 'rates' ? tab : 'runs');
  return (
    <>
      <PageTitle title={t('nav.referenceData')}>
        <CompareNow />
      </PageTitle>
      <Tabs
        value={shown}
        onChange={(chosen) => void navigate({ to: '/reference-data', search: { tab: chosen ?? 'runs' } })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {(['runs', ...KINDS, 'rates'] as const).map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(`references.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={shown}>
          {shown === 'runs' ? <Comparisons /> : shown === 'rates' ? <Rates /> : null}
          {kind === 'tags' ? <Dimensions /> : null}
          {kind === undefined ? null : <References kind={kind} key={kind} />}
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
