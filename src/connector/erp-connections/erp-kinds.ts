// The adapters that this deployment has: those of the repository, and those that its configuration names.
import { pathToFileURL } from 'node:url';
import { isAbsolute, resolve } from 'node:path';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { InvalidValue } from '../../foundation/http/problem.js';
import { pointerPart } from '../../foundation/http/value-check.js';
import { Permanent } from '../../kernel/faults.js';
import { message } from '../../kernel/message.js';
import { ERP_API_VERSION, type ErpDefinition, type ErpSettings } from '../erp/kit/define-erp.js';

/** What is wrong with one property of the settings; its pointer is relative to them. */
export type SettingProblem = InvalidValue;

interface Kind {
  readonly definition: ErpDefinition;
  readonly validate: ValidateFunction;
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
  private readonly kinds: ReadonlyMap<string, Kind>;

  /** @throws Permanent for two adapters with one id, another version of the kit, or an invalid schema */
  constructor(definitions: readonly ErpDefinition[]) {
    const ajv = new Ajv2020({
      allErrors: true,
      strict: true,
      formats: { uri: isHttpAddress, date: /^\d{4}-\d\d-\d\d$/ },
    });
    ajv.addKeyword({ keyword: 'translations', metaSchema: TRANSLATIONS });
    const kinds = new Map<string, Kind>();
    for (const definition of definitions) {
      const { id, apiVersion, connection } = definition;
      if ((apiVersion as number) !== ERP_API_VERSION) {
        throw new Permanent(
          `the adapter ${id} was written for version ${String(apiVersion)} of the adapter kit; this connector has version ${ERP_API_VERSION.toString()}`,
        );
      }
      if (!/^[a-z][a-z0-9-]{0,39}$/.test(id) || kinds.has(id)) {
        throw new Permanent(`the id "${id}" of an adapter is taken, or has other signs than a-z, 0-9 and hyphens`);
      }
      kinds.set(id, { definition, validate: ajv.compile(connection.schema) });
    }
    this.kinds = kinds;
  }

  list(): readonly ErpDefinition[] {
    return [...this.kinds.values()].map(({ definition }) => definition);
  }

  find(id: string): ErpDefinition | undefined {
    return this.kinds.get(id)?.definition;
  }

  /** @returns empty when the settings, secrets included, are as the adapter's schema wants them */
  problemsOf(id: string, settings: ErpSettings): readonly SettingProblem[] {
    const kind = this.kinds.get(id);
    if (kind === undefined) {
      return [settingProblem('/kind', `there is no accounting system of the kind "${id}"`, 'kind', { kind: id })];
    }
    return kind.validate(settings) ? [] : (kind.validate.errors ?? []).slice(0, 20).map(problemOf);
  }
}

/**
 * @param names of packages, or paths relative to `folder`; each exports one or more definitions by any name
 * @throws Permanent naming what cannot be loaded
 */
export async function loadAdapters(names: readonly string[], folder: string): Promise<readonly ErpDefinition[]> {
  const loaded: ErpDefinition[] = [];
  for (const name of names) {
    const isPath = name.startsWith('.') || isAbsolute(name);
    try {
      const module = (await import(isPath ? pathToFileURL(resolve(folder, name)).href : name)) as object;
      const found = Object.values(module).filter(isDefinition);
      if (found.length === 0) {
        throw new Permanent('it exports no adapter made by defineErp');
      }
      loaded.push(...found);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Permanent(`ERP_ADAPTERS: "${name}" cannot be loaded: ${reason}`, { cause: error });
    }
  }
  return loaded;
}

function isDefinition(value: unknown): value is ErpDefinition {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['id', 'apiVersion', 'connection', 'capabilities', 'create'].every((name) => name in value)
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
