// The texts of a setting in other languages stand beside the setting, in its schema; a reader gets those of one language.
import type { JsonValue } from '../../../kernel/json.js';

type Schema = Readonly<Record<string, JsonValue>>;

/**
 * @param language of the reader, as "de"; one that the schema has no texts in leaves its own
 * @returns the schema with `title` and `description` in that language, and without `translations`
 */
export function localizedSchema(schema: Schema, language: string): Schema {
  const { translations = {}, properties, ...own } = schema;
  const texts = isSchema(translations) ? translations[language] : undefined;
  return {
    ...own,
    ...(isSchema(texts) ? texts : {}),
    ...(isSchema(properties) ? { properties: localizedProperties(properties, language) } : {}),
  };
}

function localizedProperties(properties: Schema, language: string): Schema {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      isSchema(property) ? localizedSchema(property, language) : property,
    ]),
  );
}

function isSchema(value: JsonValue | undefined): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
