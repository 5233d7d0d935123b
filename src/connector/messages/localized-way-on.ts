import type { WayOn } from '../../foundation/pages/plain-page.js';
import type { Message } from '../../kernel/message.js';
import { localize } from './texts.js';

/** Where a person goes from a page, before it is put into a language. */
export interface NextPage {
  readonly path: string;
  readonly words: Message;
}

/** @param language one of `LANGUAGES` */
export function localizeWayOn(language: string, { path, words }: NextPage): WayOn {
  return { path, words: localize(language, words).text };
}
