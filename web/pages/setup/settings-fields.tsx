import { NativeSelect, PasswordInput, Textarea, TextInput } from '@mantine/core';
import { problemAt } from '../../api/problem-fields.js';
import type { ErpKindResponse } from '../../api/schema.js';
import { t } from '../../messages/text.js';

/** What a form reads of the JSON Schema of a setting. */
interface Property {
  readonly name: string;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly standard: string;
  readonly isRequired: boolean;
  readonly isSecret: boolean;
  /** A list, as a chart of accounts: a field of one line would lose where its lines end. */
  readonly isLong: boolean;
}
type Settings = Readonly<Record<string, unknown>>;

/** Longer texts are lists. */
const MAX_LINE = 1_000;
const LIST_ROWS = 6;

const textOf = (value: unknown) =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);

/** Settings that are no text, number, choice or yes and no are left to the API. */
export function propertiesOf({ settingsSchema, secrets }: ErpKindResponse): readonly Property[] {
  const { properties = {}, required = [] } = settingsSchema as {
    readonly properties?: Readonly<Record<string, Settings>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).flatMap(([name, property]) => {
    const {
      type,
      title,
      description,
      enum: choices = [],
      maxLength = 0,
    } = property as {
      readonly type?: string;
      readonly title?: string;
      readonly description?: string;
      readonly enum?: readonly unknown[];
      readonly maxLength?: number;
    };
    if (type === undefined ? choices.length === 0 : !['string', 'number', 'integer', 'boolean'].includes(type)) {
      return [];
    }
    return {
      name,
      type: type ?? 'string',
      title: title ?? name,
      ...(description === undefined ? {} : { description }),
      choices:
        type === 'boolean'
          ? [
              { value: 'true', label: t('audit.yes') },
              { value: 'false', label: t('audit.no') },
            ]
          : choices.map((choice) => ({ value: textOf(choice), label: textOf(choice) })),
      standard: textOf(property['default']),
      isRequired: required.includes(name),
      isSecret: secrets.includes(name),
      isLong: maxLength > MAX_LINE,
    };
  });
}

/** @returns what was entered or stands there, as the kind wants it; without what was emptied, but a secret stays as it is */
export function settingsOf(
  kind: ErpKindResponse,
  values: Readonly<Record<string, string>>,
  current: Settings,
): Settings {
  const properties = propertiesOf(kind);
  const entered = properties.flatMap(({ name, type, standard }) => {
    const value = values[name] ?? (name in current ? '' : standard);
    return value === '' ? [] : [[name, valueOf(type, value)] as const];
  });
  const emptied = properties.filter(({ name }) => values[name] === '').map(({ name }) => name);
  const kept = Object.entries(current).filter(([name]) => !emptied.includes(name));
  return Object.fromEntries([...kept, ...entered]);
}

/** What is not of the type is sent as it was typed: the API says beside the field what is wrong with it. */
function valueOf(type: string, text: string): unknown {
  if (type === 'boolean') {
    return text === 'true';
  }
  const number = type === 'string' || text.trim() === '' ? NaN : Number(text);
  return Number.isNaN(number) ? text : number;
}

interface SettingsFieldsProps {
  readonly properties: readonly Property[];
  readonly values: Readonly<Record<string, string>>;
  readonly current: Settings;
  /** Of a save that was refused. */
  readonly error: unknown;
  readonly onChange: (name: string, value: string, isSecret: boolean) => void;
}

export function SettingsFields({ properties, values, current, error, onChange }: SettingsFieldsProps) {
  const isConnected = Object.keys(current).length > 0;
  return properties.map(({ name, type, title, description, choices, standard, isRequired, isSecret, isLong }) => {
    const shared = {
      label: title,
      description: isSecret && isConnected ? t('setup.kept') : description,
      required: isRequired && !(isSecret && isConnected),
      error: problemAt(error, `/settings/${name}`),
      value: values[name] ?? (isSecret ? '' : textOf(current[name]) || standard),
      onChange: (event: React.ChangeEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>) => {
        onChange(name, event.currentTarget.value, isSecret);
      },
    };
    if (isSecret) {
      return <PasswordInput key={name} {...shared} aria-invalid={shared.error !== undefined} autoComplete="off" />;
    }
    if (isLong) {
      return <Textarea key={name} {...shared} rows={LIST_ROWS} />;
    }
    return choices.length > 0 ? (
      <NativeSelect key={name} {...shared} data={['', ...choices]} />
    ) : (
      <TextInput key={name} {...shared} inputMode={type === 'string' ? 'text' : 'numeric'} />
    );
  });
}
