import { PageTitle } from '../parts/states.js';
import { DeadLetters } from './dead-letters.js';
import { say } from './words.js';

/** What was given up, of all customers. */
export function DeadLettersPage() {
  return (
    <>
      <PageTitle title={say('nav.deadLetters')} />
      <DeadLetters />
    </>
  );
}
