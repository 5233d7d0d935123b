import { message } from '../../../kernel/message.js';
import type { BookkeepingContext } from '../item/bookkeeping-context.js';
import type { Findings } from '../item/findings.js';
import { entryIssue } from '../item/issues.js';
import type { PlannedLine } from '../item/posting-plan.js';

/** What the ERP would refuse of an entry that is right otherwise (B5.4). @param lines of one entry */
export function checkErpLimits(lines: readonly PlannedLine[], context: BookkeepingContext, findings: Findings): void {
  const { linesPerEntry, vendorAccounts } = context;
  if (linesPerEntry !== undefined && lines.length > linesPerEntry) {
    findings.fail(
      'accounting_system_validation_failure',
      message('reason.lines', { lines: lines.length, limit: linesPerEntry }),
      entryIssue('lines'),
    );
  }
  for (const { account, vendor } of lines) {
    if (vendor === undefined && vendorAccounts.has(account.id)) {
      findings.fail('vendor_unknown', message('reason.vendor.needed', { account: account.code }), entryIssue('vendor'));
    }
  }
}
