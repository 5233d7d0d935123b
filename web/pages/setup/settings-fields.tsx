import { NativeSelect, PasswordInput, TextInput } from '@mantine/core';
import { problemAt } from '../../api/problem-fields.js';
import type { ErpKindResponse } from '../../api/schema.js';
import { t } from '../../messages/text.js';

/** What a form reads of the JSON Schema of a setting. */
interface Property {
  readonly name: string;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly choices: readonly string[];
  readonly standard: string;
  readonly isRequired: boolean;
  readonly isSecret: boolean;
}
type Settings = Readonly<Record<string, unknown>>;

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
    } = property as {
      readonly type?: string;
      readonly title?: string;
      readonly description?: string;
      readonly enum?: readonly unknown[];
    };
    if (type === undefined ? choices.length === 0 : !['string', 'number', 'integer', 'boolean'].includes(type)) {
      return [];
    }
    return {
      name,
      type: type ?? 'string',
      title: title ?? name,
      ...(description === undefined ? {} : { description }),
      choices: type === 'boolean' ? ['true', 'false'] : choices.map(textOf),
      standard: textOf(property['default']),
      isRequired: required.includes(name),
      isSecret: secrets.includes(name),
    };
  });
}

/** @returns what was entered or stands there by default, as the kind wants it; what was left empty stays as it is */
export function settingsOf(
  kind: ErpKindResponse,
  values: Readonly<Record<string, string>>,
  current: Settings,
): Settings {
  const entered = propertiesOf(kind).flatMap(({ name, type, standard }) => {
    const value = values[name] ?? (name in current ? '' : standard);
    return value === '' ? [] : [[name, type === 'string' ? value : (JSON.parse(value) as unknown)] as const];
  });
  return { ...current, ...Object.fromEntries(entered) };
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
  return properties.map(({ name, type, title, description, choices, standard, isRequired, isSecret }) => {
    const shared = {
      label: title,
      description: isSecret && isConnected ? t('setup.kept') : description,
      required: isRequired && !(isSecret && isConnected),
      error: problemAt(error, `/settings/${name}`),
      value: values[name] ?? (isSecret ? '' : textOf(current[name]) || standard),
      onChange: (event: React.ChangeEvent<HTMLInputElement | HTMLSelectElement>) => {
        onChange(name, event.currentTarget.value, isSecret);
      },
    };
    if (isSecret) {
      return <PasswordInput key={name} {...shared} aria-invalid={shared.error !== undefined} autoComplete="off" />;
    }
    return choices.length > 0 ? (
      <NativeSelect key={name} {...shared} data={['', ...choices]} />
    ) : (
      <TextInput key={name} {...shared} inputMode={type === 'string' ? 'text' : 'numeric'} />
    );
  });
}
