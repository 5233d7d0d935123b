import { randomBytes, randomUUID } from 'node:crypto';
import { LATER, NOW, type SeedContext, type Rows } from './seeded-rows.js';

export function exportRows({ companyId, ids }: SeedContext): Rows {
  const { exportJobId, accountingEntryId, uncertainEntryId, mappingVersion } = ids;
  const planId = randomUUID();
  const intent = {
    erp_company_id: 'erp-company',
    export_job_id: exportJobId,
    mapping_version: mappingVersion,
    content_digest: 'digest',
    plan_chunk_id: planId,
    fence: 1,
    created_at: NOW,
  };
  return [
    [
      'export_job',
      {
        id: exportJobId,
        company_id: companyId,
        state: 'completed_with_errors',
        number_of_items: 1,
        vendor_based_bookkeeping: false,
        created_on_platform_at: NOW,
        expires_at: NOW,
        detected_at: NOW,
        next_run_at: NOW,
        finished_at: NOW,
      },
    ],
    [
      'export_item',
      {
        export_job_id: exportJobId,
        accounting_entry_id: accountingEntryId,
        position: 1,
        state: 'successful',
        external_id: 'J-1',
      },
    ],
    ['item_chunk', { export_job_id: exportJobId, id: randomUUID(), items: {} }],
    ['plan_chunk', { export_job_id: exportJobId, id: planId, plans: {} }],
    ['posting_intent', { ...intent, accounting_entry_id: accountingEntryId, state: 'posted', external_id: 'J-1' }],
    ['posting_intent', { ...intent, accounting_entry_id: uncertainEntryId, state: 'uncertain', sent_at: NOW }],
    [
      'posting_resolution',
      {
        erp_company_id: 'erp-company',
        accounting_entry_id: accountingEntryId,
        revision: 1,
        sent_at: NOW,
        outcome: 'not-in-the-books',
        resolved_by: 'one of everything',
        resolved_at: NOW,
      },
    ],
    [
      'receipt',
      {
        erp_company_id: 'erp-company',
        accounting_entry_id: accountingEntryId,
        position: 1,
        media_type: 'application/pdf',
        announced_bytes: 1,
        document_id: 'D-1',
        stored_at: NOW,
      },
    ],
    ['outbox', { export_job_id: exportJobId, seq: 1, kind: 'started', body: '{}', created_at: NOW, delivered_at: NOW }],
    ['company_lease', { company_id: companyId, fence: 1, holder: randomUUID(), expires_at: NOW }],
  ];
}

export function reviewRows({ installationId, companyId, ids }: SeedContext): Rows {
  const { issueKey, exportJobId, accountingEntryId, reexportId, previewId, mappingVersion } = ids;
  const seen = { first_seen_at: NOW, last_seen_at: NOW };
  const preview = {
    id: previewId,
    export_job_id: exportJobId,
    source: 'stored',
    erp_company_id: `erp-${installationId}`,
    mapping_version: mappingVersion,
    newest_version: mappingVersion,
    saved: true,
    digest: 'ab'.repeat(32),
    entries: 1,
    more: false,
    made_by: 'one of everything',
    created_at: NOW,
    expires_at: LATER,
  };
  return [
    [
      'issue',
      {
        issue_key: issueKey,
        kind: 'account',
        reference: issueKey.slice(8),
        failure_type: 'x',
        reason: 'x',
        ...seen,
      },
    ],
    [
      'failed_entry',
      { issue_key: issueKey, accounting_entry_id: accountingEntryId, export_job_id: exportJobId, ...seen },
    ],
    ['issue_handling', { issue_key: issueKey, assignee: 'one of everything' }],
    [
      'reexport',
      {
        id: reexportId,
        company_id: companyId,
        entry_ids: [accountingEntryId],
        vendor_based_bookkeeping: false,
        state: 'refused',
        problem: 'refused',
        requested_by: 'one of everything',
        created_at: NOW,
        next_try_at: LATER,
      },
    ],
    ['preview', preview],
    [
      'preview_entry',
      {
        preview_id: previewId,
        position: 1,
        accounting_entry_id: accountingEntryId,
        result: '{"action": "post", "entries": [], "warnings": [], "issues": [], "differences": []}',
      },
    ],
    ['drift_check', { checked_at: NOW, next_check_at: LATER }],
    [
      'drift_target',
      { kind: 'account', target_group: '', target: '6072', used_by: '[]', state: 'archived', since: NOW },
    ],
  ];
}

export function referenceRows({ companyId, ids: { syncRunId, vendorId } }: SeedContext): Rows {
  return [
    ['sync_schedule', { next_run_at: LATER }],
    [
      'rate_table',
      {
        version: 1,
        rates: JSON.stringify([{ date: '2026-03-02', from: 'USD', to: 'EUR', rate: '0.9' }]),
        number_of_rates: 1,
        digest: 'a'.repeat(64),
        uploaded_by: 'one of everything',
        uploaded_at: NOW,
      },
    ],
    ['dimension_choice', { version: 1, codes: ['department'], chosen_by: 'one of everything', chosen_at: NOW }],
    [
      'sync_run',
      {
        id: syncRunId,
        company_id: companyId,
        kind: 'accounts',
        is_preview: false,
        reason: 'schedule',
        state: 'completed',
        requested_at: NOW,
        finished_at: NOW,
        next_attempt_at: NOW,
      },
    ],
    [
      'sync_record',
      {
        run_id: syncRunId,
        seq: 1,
        subject: 'account',
        action: 'create',
        key: '6072',
        name: 'Software',
        outcome: 'done',
      },
    ],
    [
      'vendor_match',
      {
        company_id: companyId,
        platform_vendor_id: vendorId,
        name: 'A vendor',
        state: 'waiting',
        reason: 'unknown',
        changed_at: NOW,
      },
    ],
  ];
}

export function reconciliationRows({ companyId, ids, nth }: SeedContext): Rows {
  const [runId, messageId] = [randomUUID(), randomUUID()];
  const hash = 'ab'.repeat(32);
  return [
    ['alert_setting', { version: 1, channel: 'off', kinds: [], since: NOW, next_check_at: LATER }],
    [
      'download',
      {
        id: randomUUID(),
        route: 'GET /x',
        from_ip: '127.0.0.1',
        from_ip_salt: 's',
        from_ip_digest: 'd',
        started_at: NOW,
        row_count: 1,
        is_complete: true,
      },
    ],
    ['erp_sign_in', { state_hash: randomBytes(32), sealed_request: 'sealed', expires_at: LATER }],
    ['erp_company_claim', { day: '2026-03-01', claims: 1, first_at: NOW }],
    [
      'first_admin_code',
      {
        id: randomUUID(),
        code_hash: randomBytes(32),
        generation: 1,
        made_by: 'operator',
        created_at: NOW,
        expires_at: LATER,
      },
    ],
    ['alert_message', { id: messageId, created_at: NOW, next_try_at: LATER, sent_at: NOW }],
    [
      'alert',
      {
        id: randomUUID(),
        kind: 'export-failed',
        fact: ids.exportJobId,
        raised_at: NOW,
        title: 'x',
        advice: 'x',
        message_id: messageId,
      },
    ],
    ['reconciliation_schedule', { time_zone: 'UTC', next_run_at: LATER }],
    [
      'reconciliation_run',
      {
        id: runId,
        company_id: companyId,
        kind: 'period',
        reason: 'person',
        period_from: NOW,
        period_until: NOW,
        state: 'completed',
        requested_at: NOW,
        next_attempt_at: NOW,
        finished_at: NOW,
      },
    ],
    [
      'discrepancy',
      {
        id: ids.discrepancyId,
        company_id: companyId,
        class: 'deleted-in-erp',
        subject: ids.accountingEntryId,
        fingerprint: 'f',
        evidence: '{"platform": null, "record": null, "erp": []}',
        occurred_at: NOW,
        state: 'open',
        first_seen_at: NOW,
        last_seen_at: NOW,
        last_seen_run: runId,
      },
    ],
    [
      'test_posting',
      {
        id: randomUUID(),
        erp_company_id: 'erp-company',
        debit_account: '5410',
        credit_account: '1935',
        mode: 'reversed',
        state: 'taken-back',
        requested_by: 'one of everything',
      },
    ],
    ['operator_action', { id: randomUUID(), action: 'paused', target: companyId, reason: 'x' }],
    [
      'failed_task',
      {
        id: randomUUID(),
        kind: 'detect-export-jobs',
        payload: `{"nth": ${nth.toString()}}`,
        failed_at: NOW,
        problem: 'x',
      },
    ],
    ['job_total', { export_job_id: ids.exportJobId, fingerprint: 'f', months: '[]', accounts: '[]' }],
    [
      'month_sign_off',
      {
        erp_company_id: 'erp-company',
        month: '2026-08',
        sequence: nth + 1,
        figures: '[]',
        hash: 'ab'.repeat(32),
        missing_entries: 0,
        signed_by: 'one of everything',
        signed_at: NOW,
        reopened_by: 'one of everything',
        reopened_at: NOW,
        reopening_reason: 'late invoice',
      },
    ],
    [
      'certificate',
      {
        sequence: nth + 1,
        previous_hash: nth === 0 ? null : hash,
        export_job_id: ids.exportJobId,
        company_id: companyId,
        job_state: 'completed_with_errors',
        items: '{}',
        planned: '{"entries": 0, "totals": [], "digest": ""}',
        discrepancies: 1,
        made_at: NOW,
        hash,
      },
    ],
  ];
}
