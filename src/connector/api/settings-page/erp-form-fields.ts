// The form of an ERP's settings, made of the JSON Schema of its kind, and back: a form without a script has texts only.
import type { JsonValue } from '../../../kernel/json.js';
import type { ErpSettings } from '../../erp/kit/define-erp.js';
import type { ErpKindView } from '../../erp-connections/read-erp-connection.js';

/** What a form may call a field; the names of the form itself are no settings. */
const SETTING_NAME = /^(?!(?:csrf|kind|confirmChange)$)[a-zA-Z]{1,40}$/;
const ONE_LINE = 1_000;
/** A longer text is not repeated in the page: left empty it stays. */
const MAX_SHOWN = 20_000;
const KEPT = 'Left empty, it stays as it is.';

export interface FormField {
  /** Of the setting; with the setting that it is a part of in front. */
  readonly name: string;
  readonly title: string;
  readonly note: string;
  readonly input: 'text' | 'texts' | 'password' | 'number' | 'choice';
  readonly choices: readonly string[];
  readonly value: string;
  readonly isRequired: boolean;
}

interface Property {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly JsonValue[];
  readonly default?: JsonValue;
  readonly maxLength?: number;
}

type Kind = Pick<ErpKindView, 'settingsSchema' | 'secrets'>;

/**
 * Settings that are no text, number, choice or yes and no are left to the API.
 * @param current settings of the connection, without secrets; empty where another kind is connected
 */
export function formFieldsOf(kind: Kind, current: ErpSettings): readonly FormField[] {
  const required = kind.settingsSchema['required'] as readonly string[] | undefined;
  const isConnected = Object.keys(current).length > 0;
  return Object.entries(propertiesOf(kind)).flatMap(([name, property]) => {
    const input = inputOf(property, kind.secrets.includes(name));
    if (input === undefined) {
      return [];
    }
    const value = textOf(current[name] ?? property.default);
    const isKept = isConnected && (input === 'password' || value.length > MAX_SHOWN);
    return {
      name,
      title: property.title ?? name,
      note: [property.description, isKept ? KEPT : undefined].filter((text) => text !== undefined).join(' '),
      input,
      choices: property.type === 'boolean' ? ['true', 'false'] : (property.enum ?? []).map(textOf),
      value: value.length > MAX_SHOWN ? '' : value,
      isRequired: required?.includes(name) === true && !isKept,
    };
  });
}

/**
 * @param form as it was sent
 * @param current as `formFieldsOf` was told them: what the form does not show stays
 */
export function settingsOfForm(
  kind: Kind,
  form: Readonly<Record<string, string>>,
  current: ErpSettings,
): Record<string, JsonValue> {
  const settings: Record<string, JsonValue> = {};
  const shown = new Map(formFieldsOf(kind, current).map((field) => [field.name, field]));
  for (const [name, value] of Object.entries(current)) {
    if (!shown.has(name) || textOf(value).length > MAX_SHOWN) {
      settings[name] = value;
    }
  }
  for (const [name, property] of Object.entries(propertiesOf(kind))) {
    const text = form[name] ?? '';
    if (shown.has(name) && text !== '') {
      settings[name] = valueOf(property, text);
    }
  }
  return settings;
}

function propertiesOf({ settingsSchema }: Kind): Readonly<Record<string, Property>> {
  const properties = (settingsSchema['properties'] ?? {}) as Readonly<Record<string, Property>>;
  return Object.fromEntries(Object.entries(properties).filter(([name]) => SETTING_NAME.test(name)));
}

function inputOf({ type, enum: choices, maxLength }: Property, isSecret: boolean): FormField['input'] | undefined {
  if (choices !== undefined || type === 'boolean') {
    return 'choice';
  }
  if (type === 'integer' || type === 'number') {
    return 'number';
  }
  if (type !== 'string') {
    return undefined;
  }
  return isSecret ? 'password' : (maxLength ?? 0) > ONE_LINE ? 'texts' : 'text';
}

/** What cannot be read stays a text: the schema says what is wrong with it. */
function valueOf({ type }: Property, text: string): JsonValue {
  switch (type) {
    case 'boolean':
      return text === 'true' || (text === 'false' ? false : text);
    case 'integer':
    case 'number':
      return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text;
    default:
      // Browsers send the line ends of a form.
      return text.replaceAll('\r\n', '\n');
  }
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : typeof value === 'object' || value === undefined ? '' : String(value);
}
