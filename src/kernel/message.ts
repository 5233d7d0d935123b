/**
 * Something that a person reads, before it is put into a language: its code names a text of `connector/messages`, the
 * parameters stand in it.
 */
export interface Message {
  readonly code: string;
  readonly parameters: Readonly<Record<string, MessageParameter>>;
}

/** Text that is the same in every language (a decimal is written "12.50"), or messages, which are put into the same language. */
export type MessageParameter = string | number | Message | MessageList;

export interface MessageList {
  readonly list: readonly Message[];
  /** Between two of them. */
  readonly separator: string;
}

/** The message as a column of text keeps it, to be read again by `parseStoredMessage`. */
export function toStoredText({ code, parameters }: Message): string {
  return JSON.stringify({ code, parameters });
}

/** @returns undefined for a text that is words, whatever they look like */
export function parseStoredMessage(text: string): Message | undefined {
  if (!text.startsWith('{"code":')) return undefined;
  try {
    const kept = JSON.parse(text) as { readonly code: unknown; readonly parameters?: unknown };
    const isMessage = typeof kept.code === 'string' && typeof kept.parameters === 'object' && kept.parameters !== null;
    return isMessage ? (kept as Message) : undefined;
  } catch {
    return undefined;
  }
}

export function message(code: string, parameters: Message['parameters'] = {}): Message {
  return { code, parameters };
}

/** One message after the other, as a parameter of another message. */
export function listed(list: readonly Message[], separator: string): MessageList {
  return { list, separator };
}
