import { message, type Message } from '../../../kernel/message.js';

/** Something of the platform as part of a message: "6071 (Meals)", or by its name where it has no code. */
export function named(code: string | undefined, name: string | undefined): Message {
  const known = code === undefined ? 'name' : name === undefined ? 'code' : 'both';
  return message('reason.named', { known, code: code ?? '', name: name ?? '' });
}
