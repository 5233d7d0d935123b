import { Anchor, Badge } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { CertificateBadgeResponse } from '../api/schema.js';
import { t } from '../messages/text.js';
import { shownMoney } from './money.js';

const COLORS = {
  proved: 'green',
  differs: 'red',
  'nothing-posted': 'gray',
  'not-verifiable': 'gray',
  waiting: 'gray',
} as const;

interface CertificateBadgeProps {
  readonly exportJobId: string;
  readonly certificate: CertificateBadgeResponse;
}

/** In one line what the certificate of an export says: how much was read back, and what differs. It leads to the certificate, once there is one. */
export function CertificateBadge({ exportJobId, certificate }: CertificateBadgeProps) {
  const { state, planned, readBack, difference } = certificate;
  const isCounted = planned !== null && readBack !== null && state !== 'nothing-posted';
  const counted = !isCounted ? '' : ` · ${t('certificate.readBack', { planned, readBack })}`;
  const unequal = difference.filter(({ amountMinor }) => amountMinor !== '0').map(shownMoney);
  const amount = unequal.length === 0 ? '0' : unequal.join(', ');
  const differs = difference.length === 0 ? '' : ` · ${t('certificate.difference', { amount })}`;
  const badge = (
    <Badge color={COLORS[state]} variant="light" className="badge" tt="none">
      {t(`certificate.${state}`)}
      {counted}
      {differs}
    </Badge>
  );
  return state === 'waiting' ? (
    badge
  ) : (
    <Anchor component={Link} to={`/certificates/${exportJobId}`}>
      {badge}
    </Anchor>
  );
}
