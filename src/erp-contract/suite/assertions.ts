// What the clauses assert besides plain expectations: a failed read, a circumstance that belongs to the message, a value that has to be there.
import { expect } from 'expect';
import { failureWords } from '../failure-words.js';

/** The failure of a question that has no answer; recognized by its shape, as the adapter may bring its own copy of the port. */
export async function failureOf(asked: Promise<unknown>): Promise<Error> {
  const failure: unknown = await asked.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ failure: { kind: expect.any(String), message: expect.any(String) } });
  return failure as Error;
}

/** @throws Error that says in words what does not hold, and when */
export async function when(circumstance: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    throw new Error(`when ${circumstance}: ${failureWords(error).join('; ')}`, { cause: error });
  }
}

/** @throws Error naming `what` is missing */
export function present<T>(value: T | undefined, what: string): T {
  if (value === undefined) {
    throw new Error(`missing: ${what}`);
  }
  return value;
}
