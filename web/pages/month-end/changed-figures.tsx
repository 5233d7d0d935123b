import { Alert } from '@mantine/core';
import type { ChangedFigureResponse, MonthEndResponse } from '../../api/schema.js';
import { t } from '../../messages/text.js';
import { sumOf } from '../../parts/figures/sum.js';
import { Money, shownMoney } from '../../parts/money.js';
import { DataTable } from '../../parts/table/data-table.js';

/** Closing balances that are not as they were signed; the connector's and the accounting system's stand apart. */
export function ChangedFigures({ changed }: { readonly changed: MonthEndResponse['changedSinceSignOff'] }) {
  return changed.length === 0 ? null : (
    <Alert color="red" title={t('monthEnd.changed', { count: changed.length })}>
      <DataTable
        label={t('monthEnd.changedFigures')}
        empty={t('monthEnd.nothing')}
        rows={changed}
        keyOf={({ accountCode, side, signed, now }) =>
          `${accountCode} ${side} ${now?.currency ?? signed?.currency ?? ''}`
        }
        columns={[
          {
            header: t('entry.account'),
            cell: ({ accountCode, accountName }) => (
              <div className="wrap">
                <strong>{accountCode}</strong> {accountName}
              </div>
            ),
          },
          { header: t('monthEnd.side'), cell: ({ side }) => t(`monthEnd.side-${side}`) },
          { header: t('monthEnd.wasSigned'), isAmount: true, cell: ({ signed }) => <Money money={signed} /> },
          { header: t('monthEnd.now'), isAmount: true, cell: ({ now }) => <Money money={now} /> },
          { header: t('monthEnd.difference'), isAmount: true, cell: differenceOf },
        ]}
      />
    </Alert>
  );
}

/** Of a figure that was not read then, or is not now, there is none. */
function differenceOf({ signed, now }: ChangedFigureResponse): string {
  if (signed === null || now === null) {
    return '–';
  }
  const less = { ...signed, amountMinor: (-BigInt(signed.amountMinor)).toString() };
  return sumOf([now, less]).map(shownMoney).join(', ');
}
