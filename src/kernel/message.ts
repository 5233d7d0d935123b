/**
 * Something that a person reads, before it is put into a language: its code names a text of `connector/messages`, the
 * parameters stand in it.
 */
export interface Message {
  readonly code: string;
  readonly parameters: Readonly<Record<string, string | number>>;
}

/** The message as a column of text keeps it, to be read again by `keptMessage`. */
export function toKeptText({ code, parameters }: Message): string {
  return JSON.stringify({ code, parameters });
}

/** @returns undefined for a text that is words */
export function keptMessage(text: string): Message | undefined {
  return text.startsWith('{"code":') ? (JSON.parse(text) as Message) : undefined;
}

export function message(code: string, parameters: Message['parameters'] = {}): Message {
  return { code, parameters };
}
