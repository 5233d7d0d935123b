import { Button, Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../api/client.js';
import { problemAt } from '../../api/problem-fields.js';
import { t } from '../../messages/text.js';
import { ErpValue } from '../../parts/erp-value.js';
import { Failed } from '../../parts/states.js';
import { useDialog } from '../../shell/address.js';

interface LinkVendorProps {
  readonly platformVendorId: string;
  /** As the platform has it. */
  readonly vendor: string;
}

/** Links a vendor with one of the accounting system that is not among its candidates. */
export function LinkVendor({ platformVendorId, vendor }: LinkVendorProps) {
  const dialog = useDialog(`vendor ${platformVendorId}`);
  return (
    <>
      <Button size="xs" variant="default" aria-label={t('vendors.anotherOf', { vendor })} onClick={dialog.open}>
        {t('vendors.another')}
      </Button>
      <Modal
        opened={dialog.isOpen}
        onClose={dialog.close}
        title={t('vendors.anotherOf', { vendor })}
        closeButtonProps={{ 'aria-label': t('action.close') }}
      >
        <LinkForm platformVendorId={platformVendorId} vendor={vendor} onLinked={dialog.close} />
      </Modal>
    </>
  );
}

function LinkForm({ platformVendorId, vendor, onLinked }: LinkVendorProps & { readonly onLinked: () => void }) {
  const queryClient = useQueryClient();
  const [number, setNumber] = useState('');
  const link = apiQuery.useMutation('post', '/api/v1/reference-data/vendor-matches/{platformVendorId}/decision', {
    onSuccess: async () => {
      onLinked();
      notifications.show({ color: 'green', message: t('vendors.linked', { vendor, number }) });
      await queryClient.invalidateQueries();
    },
  });
  const wrong = problemAt(link.error, '/erpVendorNumber');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (number !== '') {
          link.mutate({
            params: { path: { platformVendorId } },
            body: { decision: 'link', erpVendorNumber: number },
          });
        }
      }}
    >
      <Stack>
        <Text size="sm">{t('vendors.anotherNote')}</Text>
        <ErpValue
          list="vendor"
          label={t('vendors.inErp')}
          required
          value={number}
          error={wrong}
          onChoose={(chosen) => {
            link.reset();
            setNumber(chosen);
          }}
        />
        {link.error === null || wrong !== undefined ? null : <Failed error={link.error} />}
        <Button type="submit" w="fit-content" loading={link.isPending}>
          {t('vendors.linkNow')}
        </Button>
      </Stack>
    </form>
  );
}
