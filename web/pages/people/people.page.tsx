import { Tabs, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { t } from '../../messages/text.js';
import { useAddress } from '../../shell/address.js';
import { useMay } from '../../parts/roles.js';
import { PageTitle } from '../../parts/states.js';
import { Alerts } from './alerts.js';
import { Members } from './members.js';
import { Sessions } from './sessions.js';
import { Tokens } from './tokens.js';

const TABS = { sessions: Sessions, members: Members, tokens: Tokens, alerts: Alerts };
const FOR_ADMINS = ['members', 'tokens', 'alerts'];

/** Who may do what, where they are signed in, which programs call, and who is notified of what. */
export function PeoplePage() {
  const { tab } = useAddress();
  const navigate = useNavigate();
  const isAdmin = useMay('admin');
  const names = (Object.keys(TABS) as (keyof typeof TABS)[]).filter((name) => isAdmin || !FOR_ADMINS.includes(name));
  const shown = names.find((name) => name === tab) ?? 'sessions';
  const Shown = TABS[shown];
  return (
    <>
      <PageTitle title={t('nav.people')} />
      <Tabs
        value={shown}
        onChange={(chosen) => void navigate({ to: '/people', search: { tab: chosen ?? 'sessions' } })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {names.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(`people.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {names.length > 1 ? null : (
          <Text size="sm" c="dimmed" mb="md">
            {t('people.forAdmins')}
          </Text>
        )}
        <Tabs.Panel value={shown}>
          <Shown />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
