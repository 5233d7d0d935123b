// For specs: that what the code says can be said in every language.
import type { Message } from '../../kernel/message.js';
import { ENGLISH, englishText, LANGUAGES, localize } from './texts.js';

/** @throws when a language has no words of its own for a message, or when the message lacks one of their parameters */
export function expectWords(said: Message): void {
  const english = englishText(said);
  const others = LANGUAGES.filter((language) => language !== ENGLISH);
  const same = others.filter((language) => localize(language, said).text === english);
  if (same.length > 0) throw new Error(`in ${same.join(', ')} it is as in English: ${english}`);
}
