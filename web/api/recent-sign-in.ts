import { api } from './client.js';

/** Longer than an API needs that does not respond anyway. */
const WAIT_MS = 2_000;

/** Whether the API would take an action that needs a recent sign-in; true also where that cannot be found out now. */
export async function signedInRecently(): Promise<boolean> {
  const waiting = new AbortController();
  const timer = setTimeout(() => {
    waiting.abort();
  }, WAIT_MS);
  try {
    const { data } = await api.GET('/api/v1/me', { signal: waiting.signal });
    return data?.signedInRecently !== false;
  } catch {
    return true;
  } finally {
    clearTimeout(timer);
  }
}
