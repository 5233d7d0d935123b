const STATUSES: Readonly<Record<string, string>> = {
  pending: 'Waiting',
  in_progress: 'Exporting',
  successful: 'Exported',
  completed: 'Exported',
  completed_with_errors: 'Exported with errors',
  failed: 'Failed',
  abandoned: 'Not exported',
  acknowledged: 'Delivered',
  due: 'Being delivered',
  given_up: 'Given up',
  skipped: 'Not sent',
};

/** A name of the interface as a person reads it: `account_unknown` is “Account unknown”. */
export function words(name: string): string {
  const text = name.replaceAll('_', ' ').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Options of a selection, shown in words. */
export function Options({ values }: { readonly values: readonly string[] }) {
  return values.map((value) => (
    <option key={value} value={value}>
      {words(value)}
    </option>
  ));
}

/** A status as a colored word; the tooltip shows the interface's own name. */
export function StatusBadge({ status }: { readonly status: string }) {
  return (
    <span className={`badge ${status}`} title={status}>
      {STATUSES[status] ?? words(status)}
    </span>
  );
}

/** How a status reads in a sentence: “142 exported”. */
export function countedStatus(status: string, count: number): string {
  return `${count.toString()} ${(STATUSES[status] ?? words(status)).toLowerCase()}`;
}

/** An instant to the second, in UTC. */
export function Time({ instant }: { readonly instant: Date }) {
  const iso = instant.toISOString();
  return <time dateTime={iso}>{iso.slice(0, 19).replace('T', ' ')}</time>;
}
