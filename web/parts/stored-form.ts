import { useState } from 'react';
import { BASE } from '../api/sample.js';

/**
 * The values of a form, kept for the tab: signing in again in the middle of it loses nothing. Secrets do not belong here.
 * @param name of the form, once in the page
 */
export function useStoredForm<Values extends object>(name: string, initial: Values) {
  const key = `${BASE} form ${name}`;
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
