const CHANGE = /\b(INSERT INTO|UPDATE|DELETE FROM)\s+(?:ONLY\s+)?([\w."]+)/i;
/** A transaction begins together with its first statement, and may end with it. */
const BEGINNING = /^BEGIN(?: READ ONLY)?(?:; ?(?:SET LOCAL [^;]*|SELECT set_config\(.*?, true\)(?=;|$)))*;?/i;
const ENDING = /; ?COMMIT$/i;
const READ = /\bFROM\s+([\w."]+)/i;

/** What a statement does to which table: enough to tell the boundaries of a scenario apart, and the same in every run. */
export function statementName(sql: string): string {
  const whole = sql.replaceAll(/\s+/g, ' ').trim();
  const text = whole.replace(BEGINNING, '').replace(ENDING, '').trim();
  if (text === '') {
    return 'BEGIN';
  }
  if (text.includes('pgboss') && text.includes('SKIP LOCKED')) {
    return 'take task';
  }
  const change = CHANGE.exec(text);
  if (change !== null) {
    return `${(change[1] ?? '').toUpperCase()} ${change[2] ?? ''}`;
  }
  const read = READ.exec(text);
  return read === null ? text.slice(0, 40) : `SELECT ${read[1] ?? ''}`;
}
