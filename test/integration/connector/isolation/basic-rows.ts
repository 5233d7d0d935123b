import { randomBytes, randomUUID } from 'node:crypto';
import { companyData } from '../../../../src/connector/bookkeeping/item/planning.fixtures.js';
import { DIGEST, LATER, NOW, type SeedContext, type Rows } from './seeded-rows.js';

export function connectionRows({ installationId, ids }: SeedContext): Rows {
  return [
    ['erp_company_link', { erp_system: 'fake:here', erp_company_id: `erp-${installationId}` }],
    ['erp_request_budget', { generation: 1 }],
    ['erp_request_share', { generation: 1, holder: randomUUID(), slots: 1, wanted: 1, held_until: LATER }],
    ['erp_sign_in', { state_hash: randomBytes(32), sealed_request: 'sealed', expires_at: LATER }],
    ['erp_value', { generation: 1, key: 'last', version: 1, sealed_value: 'sealed' }],
    [
      'notification',
      {
        webhook_id: ids.notificationId.replace('accepted.', ''),
        event_id: randomUUID(),
        event_type: 'v1.something.else',
        body: Buffer.from('{}'),
        body_digest: DIGEST,
        received_at: NOW,
      },
    ],
    [
      'quarantined_notification',
      {
        id: ids.quarantinedId,
        webhook_id: `msg_${randomUUID()}`,
        reason: 'malformed',
        detail: 'no JSON',
        body: Buffer.from('{'),
        body_digest: DIGEST,
        body_bytes: 1,
        body_kept_until: LATER,
        received_at: NOW,
        last_received_at: NOW,
      },
    ],
  ];
}

export function peopleRows({ ids }: SeedContext): Rows {
  const member = { role: 'admin', created_at: NOW, signed_in_at: NOW };
  return [
    ['member', { id: ids.memberId, subject: randomUUID(), display_name: 'Somebody', ...member }],
    ['member', { id: randomUUID(), subject: randomUUID(), display_name: 'Another', ...member }],
    ['member_session', { id_hash: randomBytes(32), member_id: ids.memberId, used_at: LATER, ends_at: LATER }],
    [
      'api_token',
      {
        id: ids.apiTokenId,
        token_hash: randomBytes(32),
        role: 'viewer',
        label: 'one of everything',
        created_at: NOW,
        expires_at: LATER,
      },
    ],
    [
      'idempotency_key',
      { key_hash: randomBytes(32), fingerprint: DIGEST, attempt: 1, begun_at: NOW, expires_at: LATER },
    ],
  ];
}

export function mappingRows({ ids: { mappingVersion, ruleId } }: SeedContext): Rows {
  const settings = JSON.stringify({ accounts: companyData.settings, policies: companyData.policies });
  const version = {
    version: mappingVersion,
    settings,
    rule_count: 1,
    author: 'one of everything',
    created_at: NOW,
  };
  const rule = { subject: 'account', source: '6071', target: '6072', identity: randomBytes(32) };
  return [
    ['mapping_version', version],
    ['mapping_rule', { id: ruleId, from_version: mappingVersion, ...rule }],
  ];
}
