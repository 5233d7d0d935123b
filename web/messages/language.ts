const KEY = 'language';
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

const isLanguage = (text: string | null): text is Language => LANGUAGES.some((one) => one === text);

/** The one that the reader chose, else the browser's where we speak it. */
export function language(): Language {
  const chosen = localStorage.getItem(KEY);
  const [browsers = ''] = navigator.language.split('-');
  return [chosen, browsers].find(isLanguage) ?? 'en';
}

export function chooseLanguage(chosen: Language): void {
  localStorage.setItem(KEY, chosen);
  location.reload();
}

/** @param chosen by the same person, maybe in another browser; null: never */
export function followLanguage(chosen: string | null): void {
  if (isLanguage(chosen) && chosen !== language()) {
    chooseLanguage(chosen);
  }
}

/** For numbers and dates: the reader's own where it is the language of the page. */
export function locale(): string {
  return navigator.language.startsWith(language()) ? navigator.language : language();
}
