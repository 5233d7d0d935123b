// Reports after a run of the suite how many rows were judged, and which option would unlock the others.

export default class SkippedRows {
  onRunComplete(_contexts, { testResults }) {
    const rows = testResults.flatMap((file) => file.testResults);
    const skipped = rows.filter(({ status }) => status === 'pending');
    console.log(`\n${rows.length - skipped.length} of ${rows.length} rows judged, ${skipped.length} skipped`);
    const counts = new Map();
    for (const { title } of skipped) {
      const option = /\(([^()]*)\)$/.exec(title)?.[1] ?? '';
      counts.set(option, (counts.get(option) ?? 0) + 1);
    }
    for (const [option, count] of counts) {
      console.log(`  ${count} with ${option}`);
    }
  }
}
