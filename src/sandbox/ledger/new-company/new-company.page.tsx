// Where a person without books here creates a company and gets its key: HTML without a script.
import { plainPage } from '../../../foundation/pages/plain-page.js';
import { NEW_COMPANY_PATH } from './new-company.path.js';

/** What the person has entered; shown again with a problem, but for the key. */
export interface Entered {
  readonly name: string;
  readonly functionalCurrency: string;
  readonly timeZone: string;
}

const MAX_ZONES = 1_000;
const zones = Intl.supportedValuesOf('timeZone').slice(0, MAX_ZONES);

export function newCompanyPage(entered: Entered, problem?: string): string {
  const { name, functionalCurrency, timeZone } = entered;
  return plainPage({
    title: 'New company in the ledger',
    content: (
      <>
        <p>
          It begins with a small chart of accounts, open periods, and a key with which a connector reaches it alone.
        </p>
        {problem === undefined ? null : <p role="alert">{problem}</p>}
        <form method="post" action={NEW_COMPANY_PATH}>
          <Field label="Company name" name="name" value={name} maxLength={255} />
          <Field label="Currency of the books" name="functionalCurrency" value={functionalCurrency} maxLength={3} />
          <Field label="Time zone" name="timeZone" value={timeZone} maxLength={64} list="time-zones" />
          <datalist id="time-zones">
            {zones.map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
          <p>
            <label>
              Main key of the ledger <input type="password" name="key" autoComplete="off" required />
            </label>{' '}
            <span className="soft">what started the ledger has printed it</span>
          </p>
          <button>Create the company</button>
        </form>
      </>
    ),
  });
}

interface FieldProps {
  readonly label: string;
  readonly name: keyof Entered;
  readonly value: string;
  readonly maxLength: number;
  readonly list?: string;
}

function Field({ label, name, value, maxLength, list }: FieldProps) {
  return (
    <p>
      <label>
        {label} <input name={name} defaultValue={value} maxLength={maxLength} list={list} required />
      </label>
    </p>
  );
}

/** @param url where a connector reaches the ledger */
export function createdCompanyPage(name: string, apiKey: string, url: string): string {
  return plainPage({
    title: `${name} is created`,
    content: (
      <>
        <p>
          Its key, shown this once: <code>{apiKey}</code>
        </p>
        <p>
          Enter it where the connector asks for the accounting system (Set-up, step 1), with the address{' '}
          <code>{url}</code>; or where this ledger asks for the key of the company.
        </p>
      </>
    ),
  });
}
