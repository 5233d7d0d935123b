import { useState } from 'react';
import { keepFormsOf } from '../api/kept-forms.js';
import { BASE } from '../api/sample.js';
import { overtakenBy } from './overtaken.js';

const keyOf = (name: string) => `${BASE} form ${name}`;

/** Before the first form: those of another person or company are forgotten. */
export function keepFormsOfReader(installationId: string, reader: string): void {
  keepFormsOf(`${installationId} ${reader}`, keyOf(''), sessionStorage);
}

/** Fills a form of another page before the reader gets there. */
export function fillForm(name: string, values: object): void {
  sessionStorage.setItem(keyOf(name), JSON.stringify(values));
}

interface Kept<Values> {
  readonly key: string;
  readonly initial: Values;
  readonly values: Values;
  /** What the reader had entered over values that others have saved anew since. */
  readonly overtaken?: Values | undefined;
}

/**
 * The values of a form, kept for the tab: signing in again in the middle of it loses nothing. Secrets do not belong here.
 * @param name of the form, once in the page; with the saved values that it is filled over, so that it never covers newer ones
 * @returns also what the reader had entered when newer values came: `putBack` fills it in again
 */
export function useStoredForm<Values extends object>(name: string, initial: Values) {
  const key = keyOf(name);
  const stored = (): Kept<Values> => {
    const text = sessionStorage.getItem(key);
    return { key, initial, values: text === null ? initial : { ...initial, ...(JSON.parse(text) as Partial<Values>) } };
  };
  const [last, setKept] = useState(stored);
  let kept = last;
  if (last.key !== key) {
    const now = stored();
    kept = { ...now, overtaken: overtakenBy(now.values, last) };
    // While drawing: nothing of the values before is shown.
    setKept(kept);
  }
  const { values, overtaken } = kept;
  const put = (next: Values, still?: Values) => {
    setKept({ key, initial, values: next, overtaken: still });
    sessionStorage.setItem(key, JSON.stringify(next));
  };
  const change = (changed: Partial<Values>) => {
    put({ ...values, ...changed }, overtaken);
  };
  const clear = () => {
    setKept({ key, initial, values: initial });
    sessionStorage.removeItem(key);
  };
  const putBack =
    overtaken === undefined
      ? undefined
      : () => {
          put(overtaken);
        };
  return { values, change, clear, putBack };
}
