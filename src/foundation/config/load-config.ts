import { readFileSync } from 'node:fs';
import type { z } from 'zod';

export class ConfigurationError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(
      `the configuration has ${problems.length.toString()} problem(s):\n${problems.map((p) => `  - ${p}`).join('\n')}`,
    );
    this.name = 'ConfigurationError';
  }
}

export interface ConfigSource<Schema extends z.ZodObject> {
  readonly schema: Schema;
  /** Variables that start with one of these must be known, so that a misspelt name is not silently ignored. */
  readonly prefixes: readonly string[];
  /** Variables with such a prefix that belong to another program of this repository. */
  readonly foreign?: readonly string[];
  /**
   * Variables that may also be in a file, which `<name>_FILE` names: an orchestrator hands secrets over as files, because
   * an environment shows in process lists, dumps and `docker inspect`.
   */
  readonly secrets?: readonly string[];
  /** Rules between variables, on the texts as set. Returns one sentence per problem. */
  readonly rules?: (set: Readonly<Record<string, string | undefined>>) => readonly string[];
}

/**
 * Reads the environment once, at start.
 * @returns the validated values, frozen. An empty variable counts as unset.
 * @throws ConfigurationError that lists every problem at once, never a value (it may be a secret).
 */
export function loadConfig<Schema extends z.ZodObject>(
  source: ConfigSource<Schema>,
  environment: Variables,
): Readonly<z.output<Schema>> {
  const files = source.secrets?.map((name) => `${name}_FILE`) ?? [];
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const { set, unreadable } = withSecretsOf(files, given);
  const known = new Set([...Object.keys(source.schema.shape), ...(source.foreign ?? []), ...files]);
  const unknown = Object.keys(set)
    .filter((name) => source.prefixes.some((prefix) => name.startsWith(prefix)) && !known.has(name))
    .map((name) => `${name}: unknown variable${nearest(name, known)}`);
  const parsed = source.schema.safeParse(set);
  const invalid = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join('.') || 'environment'}: ${issue.message}`);
  const broken = source.rules?.(set) ?? [];
  if (!parsed.success || unreadable.length > 0 || unknown.length > 0 || broken.length > 0) {
    throw new ConfigurationError([...unreadable, ...invalid, ...broken, ...unknown]);
  }
  return Object.freeze(parsed.data);
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Adds what is in the files, without the line end that editors leave there. */
function withSecretsOf(files: readonly string[], given: Variables): { set: Variables; unreadable: readonly string[] } {
  const set = { ...given };
  const unreadable: string[] = [];
  for (const file of files.filter((name) => given[name] !== undefined)) {
    const name = file.replace(/_FILE$/, '');
    if (given[name] !== undefined) {
      unreadable.push(`${file}: ${name} is set as well; only one of them may be`);
      continue;
    }
    try {
      const text = readFileSync(given[file] ?? '', 'utf8').trimEnd();
      set[name] = text === '' ? undefined : text;
    } catch (error) {
      unreadable.push(`${file}: cannot be read (${(error as NodeJS.ErrnoException).code ?? 'no file'})`);
    }
  }
  return { set, unreadable };
}

function nearest(name: string, known: ReadonlySet<string>): string {
  const letters = (text: string) => Array.from(text).sort().join('');
  const match = [...known].find(
    (candidate) => candidate.startsWith(name) || name.startsWith(candidate) || letters(candidate) === letters(name),
  );
  return match === undefined ? '' : `, did you mean ${match}?`;
}
