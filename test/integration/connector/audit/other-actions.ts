import { expect } from '@jest/globals';
import { sha256Hex } from '../../../../src/foundation/crypto/sha256.js';
import { anId, aTime, aToken, type AuditedAction } from './audited-action.js';

const PASSWORD = 'a-new-password-of-the-accounting-system';

const FIRST = { 'if-match': '"1"' };

export const OTHER_ACTIONS: readonly AuditedAction[] = [
  [
    'posting a test entry',
    () => ({ method: 'POST', path: '/erp-connection/test-posting', body: { debit: '5410', credit: '1935' } }),
    (of) => {
      const accounts = {
        erp_company_id: `erp-${of.tenant.installationId}`,
        debit_account: '5410',
        credit_account: '1935',
      };
      const sent = { ...accounts, mode: 'reversed', requested_by: aToken };
      return [
        ['test_posting', anId, 'created', null, { ...sent, state: 'sent', document_number: null }],
        ['test_posting', anId, 'changed', { document_number: null }, { document_number: expect.any(String) }],
        ['test_posting', anId, 'changed', { state: 'sent' }, { state: 'taken-back' }],
      ];
    },
  ],
  [
    'signing a month off though entries are missing',
    () => ({ method: 'POST', path: '/month-ends/2025-11/sign-off', body: { reason: 'booked by hand' } }),
    (of) => [
      [
        'month_sign_off',
        `erp-${of.tenant.installationId}/2025-11/1`,
        'created',
        null,
        {
          hash: expect.stringMatching(/^[0-9a-f]{64}$/),
          missing_entries: expect.any(Number),
          reason: 'booked by hand',
          signed_by: aToken,
          reopened_by: null,
          reopening_reason: null,
        },
      ],
    ],
  ],
  [
    'noting that the entries of an issue were booked by hand',
    (of) => ({
      method: 'PUT',
      path: `/issues/${of.ids.issueKey}/handling`,
      body: { assignee: 'Ada', note: 'see J-7', snoozedUntil: '2099-01-31', bookedByHand: true },
    }),
    (of) => [
      [
        'issue_handling',
        of.ids.issueKey,
        'changed',
        { assignee: 'one of everything', note: null, snoozed_until: null, left_at: null },
        { assignee: 'Ada', note: 'see J-7', snoozed_until: '2099-01-31', left_at: aTime },
      ],
    ],
  ],
  [
    'linking another company of the accounting system',
    () => ({ method: 'PUT', path: '/erp-company', body: { erpCompanyId: 'erp-company' } }),
    (of) => {
      const before = `erp-${of.tenant.installationId}`;
      return [
        ['erp_company_link', before, 'removed', { erp_company_id: before }, null],
        ['erp_company_link', 'erp-company', 'created', null, { erp_company_id: 'erp-company' }],
        [
          'installation',
          of.tenant.installationId,
          'changed',
          { erp_company_id: before },
          { erp_company_id: 'erp-company' },
        ],
      ];
    },
  ],
  [
    'connecting another accounting system',
    () => ({
      method: 'PUT',
      path: '/erp-connection',
      body: { kind: 'fake', settings: { place: 'there', password: PASSWORD }, confirmChange: true },
    }),
    (of) => {
      const before = `erp-${of.tenant.installationId}`;
      return [
        ['erp_connection', '1', 'changed', { ended_at: null }, { ended_at: aTime }],
        [
          'erp_connection',
          '2',
          'created',
          null,
          { version: 1, kind: 'fake', erp_system: 'fake:there', state: 'ok', ended_at: null },
        ],
        ['erp_company_link', before, 'removed', { erp_company_id: before }, null],
        ['installation', of.tenant.installationId, 'changed', { erp_company_id: before }, { erp_company_id: null }],
      ];
    },
  ],
  [
    'renewing the credentials of the accounting system',
    () => ({
      method: 'PUT',
      path: '/erp-connection',
      body: { kind: 'fake', settings: { place: 'here', password: PASSWORD } },
    }),
    () => [['erp_connection', '1', 'changed', { version: 1 }, { version: 2 }]],
  ],
  [
    'ending the connection to the accounting system',
    () => ({ method: 'DELETE', path: '/erp-connection' }),
    (of) => {
      const before = `erp-${of.tenant.installationId}`;
      return [
        ['erp_connection', '1', 'changed', { ended_at: null }, { ended_at: aTime }],
        ['erp_company_link', before, 'removed', { erp_company_id: before }, null],
        ['installation', of.tenant.installationId, 'changed', { erp_company_id: before }, { erp_company_id: null }],
      ];
    },
  ],
  [
    'saying how webhooks are read',
    () => ({ method: 'PUT', path: '/webhook-settings', body: { timestampMeaning: 'generation' } }),
    (of) => [
      [
        'subscription',
        of.tenant.installationId,
        'changed',
        { timestamp_meaning: 'attempt' },
        { timestamp_meaning: 'generation' },
      ],
    ],
  ],
  [
    'switching the subscription off',
    () => ({ method: 'PUT', path: '/subscription', body: { status: 'INACTIVE' } }),
    (of) => [
      ['subscription', of.tenant.installationId, 'changed', { wanted_status: 'ACTIVE' }, { wanted_status: 'INACTIVE' }],
    ],
  ],
  [
    'asking for another secret',
    () => ({ method: 'POST', path: '/subscription/secret-rotation' }),
    (of) => [
      [
        'subscription',
        of.tenant.installationId,
        'changed',
        { rotation_requested_at: null },
        { rotation_requested_at: aTime },
      ],
    ],
  ],
  [
    'setting after how many days a discrepancy is an alarm',
    () => ({ method: 'PUT', path: '/reconciliation/settings', body: { alertAfterDays: 14 } }),
    (of) => [
      [
        'reconciliation_schedule',
        of.tenant.installationId,
        'changed',
        { alert_after_days: 7 },
        { alert_after_days: 14 },
      ],
    ],
  ],
  [
    'asking for a reconciliation',
    (of) => ({ method: 'POST', path: '/reconciliation', body: { exportJobId: of.ids.exportJobId } }),
    () => [['reconciliation_run', anId, 'created', null, { kind: 'job', period_from: aTime, period_until: aTime }]],
  ],
  [
    'asking for two runs of reference data',
    () => ({
      method: 'POST',
      path: '/reference-data/runs',
      body: { kinds: ['accounts', 'tags'], preview: true },
    }),
    () => [
      ['sync_run', anId, 'created', null, { kind: 'accounts', is_preview: true, confirmed_archives: 0 }],
      ['sync_run', anId, 'created', null, { kind: 'tags', is_preview: true, confirmed_archives: 0 }],
    ],
  ],
  [
    'deciding about a vendor',
    (of) => ({
      method: 'POST',
      path: `/reference-data/vendor-matches/${of.ids.vendorId}/decision`,
      body: { decision: 'archive' },
    }),
    (of) => [
      [
        'vendor_match',
        `${of.tenant.companyId}/${of.ids.vendorId}`,
        'changed',
        { decision: null, decided_by: null },
        { decision: 'archive', decided_by: aToken },
      ],
      ['sync_run', anId, 'created', null, { kind: 'vendor-drafts', is_preview: false, confirmed_archives: 0 }],
    ],
  ],
  [
    'saying what became of an uncertain posting',
    (of) => ({
      method: 'POST',
      path: `/in-doubt-postings/${of.ids.uncertainEntryId}/resolution`,
      body: { outcome: 'not-in-the-books', note: 'looked twice' },
    }),
    (of) => [
      [
        'posting_resolution',
        `erp-company/${of.ids.uncertainEntryId}/1`,
        'created',
        null,
        { outcome: 'not-in-the-books', external_id: null, note: 'looked twice', resolved_by: aToken },
      ],
    ],
  ],
  [
    'accepting a discrepancy',
    (of) => ({
      method: 'POST',
      path: `/discrepancies/${of.ids.discrepancyId}/actions`,
      body: { action: 'accept', note: 'agreed with the auditor' },
    }),
    (of) => [
      [
        'discrepancy',
        of.ids.discrepancyId,
        'changed',
        { state: 'open', settled_as: null, settled_by: null, note: null },
        { state: 'accepted', settled_as: 'accept', settled_by: aToken, note: 'agreed with the auditor' },
      ],
    ],
  ],
  [
    'choosing what to be notified of',
    () => ({
      method: 'PUT',
      path: '/alert-settings',
      headers: FIRST,
      body: { channel: 'off', kinds: ['export-failed'] },
    }),
    (of) => [
      [
        'alert_setting',
        of.tenant.installationId,
        'changed',
        { version: 1, kinds: [] },
        { version: 2, kinds: ['export-failed'] },
      ],
    ],
  ],
  [
    'uploading exchange rates',
    () => ({ method: 'PUT', path: '/exchange-rates', headers: FIRST, body: { csv: 'date,from,to,rate\n' } }),
    (of) => [
      [
        'rate_table',
        of.tenant.installationId,
        'changed',
        { number_of_rates: 1, digest: 'a'.repeat(64), uploaded_by: 'one of everything' },
        { number_of_rates: 0, digest: sha256Hex('[]'), uploaded_by: expect.any(String) },
      ],
    ],
  ],
  [
    'making a token',
    () => ({ method: 'POST', path: '/api-tokens', body: { role: 'viewer', label: 'reports', days: 1 } }),
    () => [
      ['api_token', anId, 'created', null, { role: 'viewer', label: 'reports', expires_at: aTime, made_by: null }],
    ],
  ],
  [
    'revoking a token',
    (of) => ({ method: 'DELETE', path: `/api-tokens/${of.ids.apiTokenId}` }),
    (of) => [
      [
        'api_token',
        of.ids.apiTokenId,
        'removed',
        { role: 'viewer', label: 'one of everything', expires_at: aTime, made_by: null },
        null,
      ],
    ],
  ],
  [
    'giving a member another role',
    (of) => ({ method: 'PUT', path: `/members/${of.ids.memberId}`, body: { role: 'viewer' } }),
    (of) => [['member', of.ids.memberId, 'changed', { role: 'admin' }, { role: 'viewer' }]],
  ],
  [
    'removing a member',
    (of) => ({ method: 'DELETE', path: `/members/${of.ids.memberId}` }),
    (of) => [
      ['member', of.ids.memberId, 'changed', { removed_at: null }, { removed_at: aTime }],
      ['member_session', of.ids.memberId, 'removed', { ends_at: aTime }, null],
    ],
  ],
  [
    'uninstalling',
    () => ({ method: 'DELETE', path: '/installation?companyName=Example' }),
    (of) => [
      [
        'installation',
        of.tenant.installationId,
        'changed',
        { state: 'active', uninstalled_at: null },
        { state: 'uninstalled', uninstalled_at: aTime },
      ],
      ['erp_connection', '1', 'changed', { ended_at: null }, { ended_at: aTime }],
      [
        'installation',
        of.tenant.installationId,
        'changed',
        { erp_company_id: `erp-${of.tenant.installationId}` },
        { erp_company_id: null },
      ],
      [
        'erp_company_link',
        `erp-${of.tenant.installationId}`,
        'removed',
        { erp_company_id: `erp-${of.tenant.installationId}` },
        null,
      ],
      ...['admin', 'bookkeeper', 'viewer'].map(
        (role) =>
          ['api_token', anId, 'removed', { role, label: 'test', expires_at: aTime, made_by: null }, null] as const,
      ),
      [
        'api_token',
        of.ids.apiTokenId,
        'removed',
        { role: 'viewer', label: 'one of everything', expires_at: aTime, made_by: null },
        null,
      ],
      ['member_session', of.ids.memberId, 'removed', { ends_at: aTime }, null],
      ['member', of.ids.memberId, 'removed', { display_name: 'Somebody', role: 'admin', removed_at: null }, null],
      ['member', anId, 'removed', { display_name: 'Another', role: 'admin', removed_at: null }, null],
      ['data_key', of.tenant.installationId, 'removed', { ring_key_id: 'test' }, null],
    ],
  ],
];
