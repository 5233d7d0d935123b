import { expect } from '@jest/globals';
import { companyData } from '../../../../src/connector/bookkeeping/item/planning.fixtures.js';
import { anId, aToken, seen, type AuditedAction, type Scene } from './audited-action.js';

const settings = { accounts: companyData.settings, policies: companyData.policies };
const rule = { subject: 'account', source: '404', target: '6110' };

const next = ({ ids }: Scene) => (Number(ids.mappingVersion) + 1).toString();

/** One version of the mapping more, by the holder of the admin's token. */
const version = (of: Readonly<Record<string, unknown>>) => ({
  author: aToken,
  reason: null,
  restored_from: null,
  settings_changed: false,
  settings,
  rule_count: 1,
  rules_added: 0,
  rules_changed: 0,
  rules_removed: 0,
  ...of,
});

export const MAPPING_ACTIONS: readonly AuditedAction[] = [
  [
    'saving settings with a reason',
    (of) => ({
      method: 'PUT',
      path: '/settings?reason=New%20bank',
      headers: seen(of),
      body: {
        accounts: { wallets: { EUR: '1936' } },
        policies: { unknownVendor: 'fail', closedPeriod: 'fail', postingState: 'draft' },
      },
    }),
    (of) => [
      [
        'mapping_version',
        next(of),
        'created',
        null,
        version({
          action: 'settings',
          reason: 'New bank',
          settings_changed: true,
          settings: {
            accounts: expect.objectContaining({ wallets: { EUR: '1936' } }),
            policies: expect.anything(),
          },
        }),
      ],
    ],
  ],
  [
    'adding a rule',
    (of) => ({ method: 'POST', path: '/mapping/rules', headers: seen(of), body: rule }),
    (of) => [
      ['mapping_version', next(of), 'created', null, version({ action: 'rules', rule_count: 2, rules_added: 1 })],
    ],
  ],
  [
    'changing a rule',
    (of) => ({ method: 'PUT', path: `/mapping/rules/${of.ids.ruleId}`, headers: seen(of), body: rule }),
    (of) => [['mapping_version', next(of), 'created', null, version({ action: 'rules', rules_changed: 1 })]],
  ],
  [
    'deleting a rule',
    (of) => ({ method: 'DELETE', path: `/mapping/rules/${of.ids.ruleId}`, headers: seen(of) }),
    (of) => [
      ['mapping_version', next(of), 'created', null, version({ action: 'rules', rule_count: 0, rules_removed: 1 })],
    ],
  ],
  [
    'changing rules in bulk',
    (of) => ({
      method: 'POST',
      path: '/mapping/rules/bulk',
      headers: seen(of),
      body: { upserts: [rule, { ...rule, source: '405' }], deletes: [of.ids.ruleId] },
    }),
    (of) => [
      [
        'mapping_version',
        next(of),
        'created',
        null,
        version({ action: 'rules', rule_count: 2, rules_added: 2, rules_removed: 1 }),
      ],
    ],
  ],
  [
    'restoring a version',
    (of) => ({ method: 'POST', path: '/mapping/versions/1/restore', headers: seen(of) }),
    (of) => [
      [
        'mapping_version',
        next(of),
        'created',
        null,
        version({ action: 'restore', restored_from: 1, rule_count: 0, rules_removed: 1 }),
      ],
    ],
  ],
  [
    'mending a cause with a rule',
    (of) => ({
      method: 'POST',
      path: `/issues/${of.ids.issueKey}/resolution`,
      body: { rule: { target: '6110' } },
    }),
    (of) => [
      [
        'mapping_version',
        next(of),
        'created',
        null,
        version({ action: 'rules', reason: expect.anything(), rule_count: 2, rules_added: 1 }),
      ],
      [
        'reexport',
        anId,
        'created',
        null,
        {
          state: 'waiting',
          issue_key: of.ids.issueKey,
          preview_id: null,
          mapping_version: null,
          export_job_id: null,
          problem: null,
          requested_by: aToken,
        },
      ],
    ],
  ],
];
