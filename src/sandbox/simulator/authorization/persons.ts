/** A person at the consent page. */
export interface SimulatedPerson {
  readonly id: string;
  readonly name: string;
}

const FIRST = { id: '00000000-0000-4000-8000-000000000001', name: 'Ada Berg' };

/** Three are enough for every role. Who may connect a company is not simulated: each of them may. */
export const PERSONS: readonly SimulatedPerson[] = [
  FIRST,
  { id: '00000000-0000-4000-8000-000000000002', name: 'Bo Lund' },
  { id: '00000000-0000-4000-8000-000000000003', name: 'Cleo Marin' },
];

/** Whom a script is that does not say. */
export const FIRST_PERSON_ID = FIRST.id;

export function nameOfPerson(id: string): string | undefined {
  return PERSONS.find((person) => person.id === id)?.name;
}
