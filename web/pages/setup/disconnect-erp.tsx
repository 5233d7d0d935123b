import { Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../api/client.js';
import { t } from '../../messages/text.js';
import { Failed } from '../../parts/states.js';
import { useDialog } from '../../shell/address.js';

/** Ends the connection to the accounting system, after the reader has seen what stops with it. */
export function DisconnectErp({ name }: { readonly name: string }) {
  const queryClient = useQueryClient();
  const dialog = useDialog('disconnect-erp');
  const end = apiQuery.useMutation('delete', '/api/v1/erp-connection', {
    onSuccess: async () => {
      dialog.close();
      notifications.show({ color: 'green', message: t('disconnect.done') });
      // Read again alone, its refusal would leave the connection that has ended on the page.
      await queryClient.resetQueries({ queryKey: ['get', '/api/v1/erp-connection'] });
      await queryClient.invalidateQueries();
    },
  });
  const close = () => {
    dialog.close();
    end.reset();
  };
  return (
    <>
      <Button variant="default" w="fit-content" mt="md" onClick={dialog.open}>
        {t('disconnect.open')}
      </Button>
      <Modal
        opened={dialog.isOpen}
        onClose={close}
        title={t('disconnect.open')}
        closeButtonProps={{ 'aria-label': t('action.close') }}
      >
        <Stack>
          <Text size="sm">{t('disconnect.which', { name })}</Text>
          <Consequences title={t('disconnect.stops')} of={['exports', 'comparisons', 'credentials', 'link']} />
          <Consequences title={t('disconnect.stays')} of={['books', 'history', 'platform']} />
          {end.error === null ? null : <Failed error={end.error} />}
          <Group>
            <Button
              color="red.9"
              loading={end.isPending}
              onClick={() => {
                end.mutate({});
              }}
            >
              {t('disconnect.now')}
            </Button>
            <Button variant="default" data-autofocus onClick={close}>
              {t('disconnect.cancel')}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

interface ConsequencesProps {
  readonly title: string;
  readonly of: readonly ('exports' | 'comparisons' | 'credentials' | 'link' | 'books' | 'history' | 'platform')[];
}

function Consequences({ title, of }: ConsequencesProps) {
  return (
    <div>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <List size="sm">
        {of.map((one) => (
          <List.Item key={one}>{t(`disconnect.${one}`)}</List.Item>
        ))}
      </List>
    </div>
  );
}
