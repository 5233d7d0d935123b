import { Badge, Button, Menu, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { apiQuery } from '../api/client.js';
import { t } from '../messages/text.js';
import { useSwitch } from './use-switch.js';

/** The company that the page shows; for a person who works for several, the way to the others. */
export function ClientSwitcher({ companyName }: { readonly companyName: string }) {
  const navigate = useNavigate();
  const switchTo = useSwitch();
  const { data } = apiQuery.useQuery('get', '/api/v1/me/installations');
  const others = data?.data.filter(({ current }) => !current) ?? [];
  if (others.length === 0) {
    return (
      <Text fw={600} truncate>
        {companyName}
      </Text>
    );
  }
  return (
    <Menu position="bottom-start" width={320}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          className="switcher"
          aria-label={t('clients.switch', { company: companyName })}
        >
          <Text span fw={600} truncate c="var(--mantine-color-text)">
            {companyName} ▾
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="70vh" className="scrolls">
        {others.map(({ installationId, companyName: name, needsAttention }) => (
          <Menu.Item
            key={installationId}
            onClick={() => {
              switchTo(installationId);
            }}
            rightSection={
              needsAttention === 0 ? null : (
                <Badge color="orange" variant="light" aria-label={t('home.attention', { count: needsAttention })}>
                  {needsAttention}
                </Badge>
              )
            }
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => void navigate({ to: '/clients' })}>{t('nav.clients')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
