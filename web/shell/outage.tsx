import { Alert } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { useReachable } from '../api/reachable.js';
import { t } from '../messages/text.js';

/** Above a page that cannot be read again, or change anything, now. */
export function Outage() {
  const { online } = useNetwork();
  const isReachable = useReachable();
  return online && isReachable ? null : (
    <Alert color="orange" mb="md" title={t(online ? 'state.unreachable' : 'state.offline')} role="status">
      {t(online ? 'state.unreachableText' : 'state.offlineText')}
    </Alert>
  );
}
