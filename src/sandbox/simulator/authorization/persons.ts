/** A person at the consent page. */
export interface SimulatedPerson {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

const FIRST = { id: '00000000-0000-4000-8000-000000000001', name: 'Ada Berg', email: 'ada.berg@example.com' };

/** Three are enough for every role. Who may connect a company is not simulated: each of them may. */
export const PERSONS: readonly SimulatedPerson[] = [
  FIRST,
  { id: '00000000-0000-4000-8000-000000000002', name: 'Bo Lund', email: 'bo.lund@example.com' },
  { id: '00000000-0000-4000-8000-000000000003', name: 'Cleo Marin', email: 'cleo.marin@example.com' },
];

/** Whom a script is that does not say. */
export const FIRST_PERSON_ID = FIRST.id;

export function personOf(id: string): SimulatedPerson | undefined {
  return PERSONS.find((person) => person.id === id);
}
