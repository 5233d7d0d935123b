// The adapters that this deployment has: those of the repository, and those that its configuration names.
import { pathToFileURL } from 'node:url';
import { isAbsolute, resolve } from 'node:path';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { ConfigurationError } from '../../foundation/config/load-config.js';
import type { InvalidValue } from '../../foundation/http/problem.js';
import { pointerPart } from '../../foundation/http/value-check.js';
import { Permanent } from '../../kernel/faults.js';
import { message } from '../../kernel/message.js';
import { ERP_API_VERSION, type ErpDefinition, type ErpSettings } from '../erp/kit/define-erp.js';

/** What is wrong with one property of the settings; its pointer is relative to them. */
export type SettingProblem = InvalidValue;

interface Kind {
  readonly definition: ErpDefinition;
  /** Of its settings; undefined until it is needed. */
  validate: ValidateFunction | undefined;
}

/** By language, as `localizedSchema` reads them. */
const TRANSLATIONS = {
  type: 'object',
  additionalProperties: {
    type: 'object',
    additionalProperties: false,
    properties: { title: { type: 'string' }, description: { type: 'string' } },
  },
};

export class ErpKinds {
  private ajv: Ajv2020 | undefined;
  private readonly kinds = new Map<string, Kind>();

  /**
   * @param own adapters of this repository; their schemas are compiled, which takes 0.2 s, when they are first needed: when a
   *   connection is saved
   * @throws Permanent for one that cannot be added
   */
  constructor(own: readonly ErpDefinition[]) {
    for (const definition of own) {
      const problem = this.register(definition);
      if (problem !== undefined) {
        throw new Permanent(problem);
      }
    }
  }

  /** Adds one from outside. @returns why it was not added, and what mends that; undefined when it was */
  add(definition: ErpDefinition): string | undefined {
    const problem = this.register(definition);
    if (problem !== undefined) {
      return problem;
    }
    const { id } = definition;
    try {
      this.validateOf(id);
      return undefined;
    } catch (error) {
      this.kinds.delete(id);
      return `the settings of the adapter ${id} need a JSON Schema (draft 2020-12): ${textOf(error)}`;
    }
  }

  list(): readonly ErpDefinition[] {
    return [...this.kinds.values()].map(({ definition }) => definition);
  }

  find(id: string): ErpDefinition | undefined {
    return this.kinds.get(id)?.definition;
  }

  /** @returns empty when the settings, secrets included, are as the adapter's schema wants them */
  problemsOf(id: string, settings: ErpSettings): readonly SettingProblem[] {
    const validate = this.validateOf(id);
    if (validate === undefined) {
      return [settingProblem('/kind', `there is no accounting system of the kind "${id}"`, 'kind', { kind: id })];
    }
    return validate(settings) ? [] : (validate.errors ?? []).slice(0, 20).map(problemOf);
  }

  private register(definition: ErpDefinition): string | undefined {
    const { id, apiVersion } = definition;
    if ((apiVersion as number) !== ERP_API_VERSION) {
      return `the adapter ${id} was written for version ${String(apiVersion)} of the adapter kit; this connector has version ${ERP_API_VERSION.toString()}: install a release of the adapter that was written for it`;
    }
    if (!/^[a-z][a-z0-9-]{0,39}$/.test(id)) {
      return `the id "${id}" of an adapter needs 1 to 40 signs of a-z, 0-9 and hyphens, a letter first`;
    }
    const taken = this.kinds.get(id)?.definition.name;
    if (taken !== undefined) {
      return `the id "${id}" of an adapter is taken by "${taken}": leave one of the two out, or give this one another id`;
    }
    this.kinds.set(id, { definition, validate: undefined });
    return undefined;
  }

  /** @returns undefined for an unknown kind */
  private validateOf(id: string): ValidateFunction | undefined {
    const kind = this.kinds.get(id);
    if (kind === undefined) {
      return undefined;
    }
    this.ajv ??= newAjv();
    kind.validate ??= this.ajv.compile(kind.definition.connection.schema);
    return kind.validate;
  }
}

function newAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    formats: { uri: isHttpAddress, date: /^\d{4}-\d\d-\d\d$/ },
  });
  ajv.addKeyword({ keyword: 'translations', metaSchema: TRANSLATIONS });
  return ajv;
}

/**
 * The adapters of this repository, and those that `CONNECTOR_ERP_ADAPTERS` names.
 * @param names of packages, or paths relative to `folder`; each exports one or more definitions by any name
 * @throws ConfigurationError with everything that is wrong with them
 */
export async function loadErpKinds(
  own: readonly ErpDefinition[],
  names: readonly string[],
  folder: string,
): Promise<ErpKinds> {
  const kinds = new ErpKinds(own);
  const problems: string[] = [];
  for (const name of names) {
    const found = await loadAdapter(name, folder);
    const ofOne = typeof found === 'string' ? [found] : found.map((definition) => kinds.add(definition));
    problems.push(
      ...ofOne
        .filter((problem) => problem !== undefined)
        .map((problem) => `CONNECTOR_ERP_ADAPTERS: "${name}": ${problem}`),
    );
  }
  if (problems.length > 0) {
    throw new ConfigurationError(problems);
  }
  return kinds;
}

/** @returns the definitions, or why there are none */
async function loadAdapter(name: string, folder: string): Promise<readonly ErpDefinition[] | string> {
  const path = name.startsWith('.') || isAbsolute(name) ? resolve(folder, name) : undefined;
  try {
    const module = (await import(path === undefined ? name : pathToFileURL(path).href)) as object;
    // A module of CommonJS shows what it exports under several names.
    const found = [...new Set(Object.values(module))].filter(isDefinition);
    return found.length === 0 ? 'it exports no adapter made by defineErp (docs/erp-adapters.md)' : found;
  } catch (error) {
    const wanted = path === undefined ? 'a package that is installed here' : `a module at ${path}`;
    return `cannot be loaded, needs ${wanted} that runs without an error: ${textOf(error)}`;
  }
}

/** @returns the first line: the list of problems has one for each */
function textOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
  return line;
}

/** By what the connector reads of it at once: an adapter that lacks more fails its contract. */
function isDefinition(value: unknown): value is ErpDefinition {
  if (typeof value !== 'object' || value === null || !('apiVersion' in value)) {
    return false;
  }
  const { id, connection, capabilities, create } = value as Readonly<Partial<Record<keyof ErpDefinition, unknown>>>;
  return (
    typeof id === 'string' &&
    typeof connection === 'object' &&
    connection !== null &&
    'schema' in connection &&
    'secrets' in connection &&
    typeof capabilities === 'function' &&
    typeof create === 'function'
  );
}

function isHttpAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function problemOf({ instancePath, keyword, params, message: text = 'is not valid' }: ErrorObject): SettingProblem {
  const {
    missingProperty = '',
    additionalProperty = '',
    limit = '',
  } = params as Readonly<Record<string, string | undefined>>;
  switch (keyword) {
    case 'required':
      return settingProblem(`${instancePath}/${missingProperty}`, 'is required', keyword);
    case 'additionalProperties':
      return settingProblem(`${instancePath}/${pointerPart(additionalProperty)}`, 'is not known', keyword);
    case 'format':
      return settingProblem(instancePath, 'is no address (https://…)', keyword);
    default:
      return settingProblem(instancePath, text, keyword, { limit });
  }
}

function settingProblem(
  pointer: string,
  detail: string,
  check: string,
  parameters: Readonly<Record<string, string | number>> = {},
): SettingProblem {
  return { pointer, detail, message: message(`check.setting.${check}`, parameters) };
}
