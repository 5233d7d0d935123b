// A mapping's rules as a file that people edit, and back. What is written is read as the same rules.
import { parse as parseLossless } from 'lossless-json';
import writeXlsxFile from 'write-excel-file/node';
import { readCsv, type CsvDelimiter, type CsvRow } from '../../foundation/csv/csv-reader.js';
import { writeCsv } from '../../foundation/csv/csv-writer.js';
import { hasFormulaGuard, needsFormulaGuard, removeFormulaGuard } from '../../foundation/csv/formula-guard.js';
import { exceedsJsonBudget } from '../../foundation/http/json-budget.js';
import { message } from '../../kernel/message.js';
import type { FileProblem, RuleLine } from './domain/files/file-problem.js';
import { MAX_RULES } from './domain/rule-change-set.js';
import {
  fieldsOf,
  readRule,
  RULE_FIELDS,
  type FieldProblem,
  type RuleContent,
  type RuleField,
  type RuleFields,
} from './domain/rule-fields.js';
import { identityOf } from './domain/rule-identity.js';

export type RuleFormat = 'csv' | 'json';

/** How rules are written: a spreadsheet is read by the page, which sends it as CSV. */
export type RuleFileFormat = RuleFormat | 'xlsx';

export type ParsedRuleFile = { readonly rules: readonly RuleLine[] } | { readonly problems: readonly FileProblem[] };

const DELIMITERS: readonly CsvDelimiter[] = [',', ';', '\t'];
const REQUIRED: readonly RuleField[] = ['subject', 'source', 'target'];
const LIMITS = { cell: 1_000, columns: 100, rows: MAX_RULES + 1 };
/** More than any file of rules has; without a limit, brackets alone hold the process for seconds. */
const JSON_BUDGET = { maxDepth: 8, maxValues: 10 * MAX_RULES, maxNames: 500 };
/** What spreadsheets make of codes: scientific notation, decimals and their own errors. */
const SPREADSHEET_DAMAGE = /^(\d+([.,]\d+)?e[+-]?\d+|\d+,\d+|#(ref|n\/a|name|value|div\/0|num|null)[!?]?)$/i;

/** @returns the rules, or else everything that is wrong with the file; never a part of them */
export function readRuleFile(text: string, format: RuleFormat): ParsedRuleFile {
  return format === 'csv' ? readRulesFromCsv(text) : readRulesFromJson(text);
}

/** @returns a whole file; cells that a spreadsheet would compute begin with an apostrophe, which reading takes off */
export function writeRuleFile(rules: readonly RuleContent[], format: RuleFormat): string {
  // A rule a line: indented, a file of 24,000 rules was longer than one that may be imported.
  if (format === 'json') return `{"rules":[\n${rules.map((rule) => JSON.stringify(fieldsOf(rule))).join(',\n')}\n]}\n`;
  return writeCsv(tableOf(rules), (text) => SPREADSHEET_DAMAGE.test(text));
}

/** A workbook of one sheet: every cell is a text, so that none is a formula and no code becomes a number. */
export async function writeRuleSheet(rules: readonly RuleContent[]): Promise<Buffer> {
  const cells = tableOf(rules).map((row) => row.map((value) => ({ value, type: String })));
  return writeXlsxFile(cells, { sheet: 'Rules', stickyRowsCount: 1 }).toBuffer();
}

function tableOf(rules: readonly RuleContent[]): readonly (readonly string[])[] {
  const lines = rules.map((rule) => {
    const fields = fieldsOf(rule);
    return RULE_FIELDS.map((field) => fields[field] ?? '');
  });
  return [RULE_FIELDS, ...lines];
}

function readRulesFromCsv(text: string): ParsedRuleFile {
  const delimiter = delimiterOf(text);
  const table = readCsv(text, delimiter, LIMITS);
  if ('code' in table) {
    const { line, column, code, limit = 0 } = table;
    const detail = message(`rule-file.${code}`, { limit });
    return { problems: [{ line, column: column.toString(), code, detail }] };
  }
  const [header, ...rows] = table.rows;
  if (header === undefined || rows.length === 0) return { problems: [NO_ROWS] };
  const columns = header.cells.map((cell) => cell.trim());
  const problems = headerProblems(columns, header.line);
  if (problems.length > 0) return { problems };
  return collect(rows.map((row) => ({ line: row.line, read: readRow(row, columns) })));
}

function readRulesFromJson(text: string): ParsedRuleFile {
  const entries = entriesOf(text);
  if ('code' in entries) return { problems: [entries] };
  if (entries.length === 0) return { problems: [NO_ROWS] };
  if (entries.length > MAX_RULES) {
    const detail = message('rule-file.too-many-rows', { limit: MAX_RULES });
    return { problems: [{ line: MAX_RULES + 1, column: undefined, code: 'too-many-rows', detail }] };
  }
  return collect(entries.map((entry, index) => ({ line: index + 1, read: readEntry(entry) })));
}

const NO_LIST = { column: undefined, code: 'malformed-json', detail: message('rule-file.malformed-json') };

const NO_ROWS: FileProblem = {
  line: 1,
  column: undefined,
  code: 'no-rows',
  detail: message('rule-file.no-rows', { columns: RULE_FIELDS.join(', ') }),
};

type ParsedLine = { readonly rule: RuleContent } | { readonly problems: readonly Omit<FileProblem, 'line'>[] };

function collect(lines: readonly { readonly line: number; readonly read: ParsedLine }[]): ParsedRuleFile {
  const problems: FileProblem[] = [];
  const rules: RuleLine[] = [];
  for (const { line, read } of lines) {
    if ('rule' in read) rules.push({ line, rule: read.rule });
    else problems.push(...read.problems.map((problem) => ({ line, ...problem })));
  }
  problems.push(...repetitions(rules));
  return problems.length > 0 ? { problems: problems.sort((one, other) => one.line - other.line) } : { rules };
}

// No "the last one wins": both lines are named, also where they say the same.
function repetitions(rules: readonly RuleLine[]): readonly FileProblem[] {
  const lines = new Map<string, number[]>();
  for (const { line, rule } of rules) {
    const identity = identityOf(rule);
    const known = lines.get(identity);
    if (known === undefined) lines.set(identity, [line]);
    else known.push(line);
  }
  return [...lines.values()]
    .filter((places) => places.length > 1)
    .flatMap((places) =>
      places.map((line) => ({
        line,
        column: 'source',
        code: 'overlap',
        detail: message('rule-file.overlap', { lines: places.slice(0, 10).join(', ') }),
      })),
    );
}

/** The one whose first line has the columns; a comma where none has. */
function delimiterOf(text: string): CsvDelimiter {
  const [firstLine = ''] = text.trimStart().split(/[\r\n]/, 1);
  const fits = (delimiter: CsvDelimiter) => {
    const names = firstLine.split(delimiter).map((name) => name.trim().replaceAll('"', ''));
    return REQUIRED.every((field) => names.includes(field));
  };
  return DELIMITERS.find(fits) ?? ',';
}

function headerProblems(columns: readonly string[], line: number): readonly FileProblem[] {
  const known = (name: string) => RULE_FIELDS.some((field) => field === name);
  const knownColumns = RULE_FIELDS.join(', ');
  return [
    ...REQUIRED.filter((field) => !columns.includes(field)).map((field) => ({
      line,
      column: field,
      code: 'missing-column',
      detail: message('rule-file.missing-column', { column: field, columns: knownColumns }),
    })),
    ...columns
      .filter((name) => !known(name))
      .map((name) => ({
        line,
        column: name.slice(0, 60),
        code: 'unknown-column',
        detail: message('rule-file.unknown-column', { column: name.slice(0, 60), columns: knownColumns }),
      })),
    ...columns
      .filter((name, index) => known(name) && columns.indexOf(name) !== index)
      .map((name) => ({
        line,
        column: name,
        code: 'repeated-column',
        detail: message('rule-file.repeated-column', { column: name }),
      })),
  ];
}

function readRow({ cells }: CsvRow, columns: readonly string[]): ParsedLine {
  if (cells.length !== columns.length) {
    const detail = message('rule-file.uneven-line', { cells: cells.length, columns: columns.length });
    return { problems: [{ column: undefined, code: 'wrong-number-of-cells', detail }] };
  }
  const texts = new Map(columns.map((name, index) => [name, (cells[index] ?? '').trim()]));
  const damage = RULE_FIELDS.flatMap((field) => damageOf(field, texts.get(field) ?? ''));
  if (damage.length > 0) return { problems: damage.map(toFileProblem) };
  const fields: RuleFields = Object.fromEntries(
    RULE_FIELDS.map((field) => [field, removeFormulaGuard(texts.get(field) ?? '')]),
  );
  return toReadLine(readRule(fields));
}

function readEntry(entry: unknown): ParsedLine {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return { problems: [NO_LIST] };
  const problems: Omit<FileProblem, 'line'>[] = [];
  for (const [name, value] of Object.entries(entry)) {
    if (!RULE_FIELDS.some((field) => field === name)) {
      const column = name.slice(0, 60);
      const detail = message('rule-file.unknown-member', { member: column, members: RULE_FIELDS.join(', ') });
      problems.push({ column, code: 'unknown-column', detail });
    } else if (typeof value !== 'string' && value !== null) {
      problems.push({
        column: name,
        code: 'not-a-text',
        detail: message('rule-file.not-a-text', { field: name }),
      });
    }
  }
  if (problems.length > 0) return { problems };
  const values = new Map<string, unknown>(Object.entries(entry));
  const fields: RuleFields = Object.fromEntries(
    RULE_FIELDS.flatMap((field) => {
      const value = values.get(field);
      return typeof value === 'string' ? [[field, value]] : [];
    }),
  );
  return toReadLine(readRule(fields));
}

function entriesOf(text: string): readonly unknown[] | FileProblem {
  if (exceedsJsonBudget(text, JSON_BUDGET)) return { line: 1, ...NO_LIST };
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return { ...placeOfMistake(text), code: 'malformed-json', detail: message('rule-file.invalid-json') };
  }
  const rules: unknown = typeof file === 'object' && file !== null ? Reflect.get(file, 'rules') : undefined;
  return Array.isArray(rules) ? rules : { line: 1, ...NO_LIST };
}

// What the runtime says of a mistake names its place only for some of them.
function placeOfMistake(text: string): Pick<FileProblem, 'line' | 'column'> {
  try {
    parseLossless(text, undefined, { onDuplicateKey: ({ newValue }) => newValue });
  } catch (error) {
    const [, position] = /at position (\d+)$/.exec(String(error)) ?? [];
    const before = text.slice(0, Number(position ?? 0)).split(/\r\n|\n|\r/);
    return { line: before.length, column: ((before.at(-1) ?? '').length + 1).toString() };
  }
  return { line: 1, column: undefined };
}

function toReadLine(read: ReturnType<typeof readRule>): ParsedLine {
  return 'rule' in read ? read : { problems: read.problems.map(toFileProblem) };
}

function toFileProblem({ field, code, detail }: FieldProblem): Omit<FileProblem, 'line'> {
  return { column: field, code, detail };
}

function damageOf(field: RuleField, text: string): readonly FieldProblem[] {
  if (needsFormulaGuard(text) && !hasFormulaGuard(text)) {
    const detail = message('rule-file.formula', { text: text.slice(0, 60) });
    return [{ field, code: 'formula', detail }];
  }
  if (!SPREADSHEET_DAMAGE.test(text)) return [];
  const detail = message('rule-file.spreadsheet-artifact', { text: text.slice(0, 60) });
  return [{ field, code: 'spreadsheet-artifact', detail }];
}
