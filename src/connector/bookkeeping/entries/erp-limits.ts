import type { BookkeepingContext } from '../item/bookkeeping-context.js';
import type { Findings } from '../item/findings.js';
import { entryIssue } from '../item/issues.js';
import type { PlannedLine } from '../item/posting-plan.js';

/** What the ERP would refuse of an entry that is right otherwise (B5.4). @param lines of one entry */
export function checkErpLimits(lines: readonly PlannedLine[], context: BookkeepingContext, findings: Findings): void {
  const { linesPerEntry, vendorAccounts } = context;
  if (linesPerEntry !== undefined && lines.length > linesPerEntry) {
    const [has, takes] = [lines.length.toString(), linesPerEntry.toString()];
    findings.fail(
      'accounting_system_validation_failure',
      `The entry has ${has} lines, and the accounting system takes ${takes} in one entry: divide the expense into parts with fewer lines on the platform, then export them.`,
      entryIssue('lines'),
    );
  }
  for (const { account, vendor } of lines) {
    if (vendor === undefined && vendorAccounts.has(account.id)) {
      findings.fail(
        'vendor_unknown',
        `The entry posts to account ${account.code}, which holds what is owed to vendors, and has no vendor; the accounting system needs one there. Choose a vendor for it on the platform, or another account in the connector's settings.`,
        entryIssue('vendor'),
      );
    }
  }
}
