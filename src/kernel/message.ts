/**
 * Something that a person reads, before it is put into a language: its code names a text of `connector/messages`, the
 * parameters stand in it.
 */
export interface Message {
  readonly code: string;
  readonly parameters: Readonly<Record<string, string | number>>;
}

export function message(code: string, parameters: Message['parameters'] = {}): Message {
  return { code, parameters };
}
