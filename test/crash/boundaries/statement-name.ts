const CHANGE = /\b(INSERT INTO|UPDATE|DELETE FROM)\s+(?:ONLY\s+)?([\w."]+)/i;
/** A transaction begins together with its first statement, and may end together with its last. */
const BEGINNING = /^BEGIN(?: READ ONLY)?(?:; SELECT (?:set_config\([^;]*|require_lease\([^;]* AS held)(?=;|$))*;?/i;
const ENDING = /; COMMIT$/i;
const READ = /\bFROM\s+([\w."]+)/i;

/** What the first of some statements that are sent together does to which table: enough to tell the boundaries of a scenario apart, and the same in every run. */
export function statementName(sql: string): string {
  const whole = sql.replaceAll(/\s+/g, ' ').trim();
  const text = whole.replace(BEGINNING, '').replace(ENDING, '').trim();
  const end = ENDING.test(whole) ? ', COMMIT' : '';
  if (text === '') {
    return 'BEGIN';
  }
  if (text.includes('pgboss') && text.includes('SKIP LOCKED')) {
    return 'take task';
  }
  const change = CHANGE.exec(text);
  if (change !== null) {
    return `${(change[1] ?? '').toUpperCase()} ${change[2] ?? ''}${end}`;
  }
  const read = READ.exec(text);
  return read === null ? text.slice(0, 40) : `SELECT ${read[1] ?? ''}`;
}
