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
 * @param name of the form, once in the page
 */
export function useStoredForm<Values extends object>(name: string, initial: Values) {
  const key = keyOf(name);
  const [values, setValues] = useState<Values>(() => {
    const stored = sessionStorage.getItem(key);
    return stored === null ? initial : { ...initial, ...(JSON.parse(stored) as Partial<Values>) };
  });
  const change = (changed: Partial<Values>) => {
    const next = { ...values, ...changed };
    setValues(next);
    sessionStorage.setItem(key, JSON.stringify(next));
  };
  const clear = () => {
    setValues(initial);
    sessionStorage.removeItem(key);
  };
  return { values, change, clear };
}
