import { useState } from 'react';
import { keepFormsOf } from '../api/kept-forms.js';
import { BASE } from '../api/sample.js';

const keyOf = (name: string) => `${BASE} form ${name}`;

/** Before the first form: those of another person or company are forgotten. */
export function keepFormsOfReader(installationId: string, reader: string): void {
  keepFormsOf(`${installationId} ${reader}`, keyOf(''), sessionStorage);
}

/** Fills a form of another page before the reader gets there. */
export function fillForm(name: string, values: object): void {
  sessionStorage.setItem(keyOf(name), JSON.stringify(values));
}

/**
 * The values of a form, kept for the tab: signing in again in the middle of it loses nothing. Secrets do not belong here.
 * @param name of the form, once in the page; with the saved values that it is filled over, so that it never covers newer ones
 */
export function useStoredForm<Values extends object>(name: string, initial: Values) {
  const key = keyOf(name);
  const stored = () => {
    const text = sessionStorage.getItem(key);
    return { key, values: text === null ? initial : { ...initial, ...(JSON.parse(text) as Partial<Values>) } };
  };
  const [kept, setKept] = useState(stored);
  const { values } = kept.key === key ? kept : stored();
  const change = (changed: Partial<Values>) => {
    const next = { ...values, ...changed };
    setKept({ key, values: next });
    sessionStorage.setItem(key, JSON.stringify(next));
  };
  const clear = () => {
    setKept({ key, values: initial });
    sessionStorage.removeItem(key);
  };
  return { values, change, clear };
}
