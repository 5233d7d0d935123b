import type { ErpConnectionReading, ErpKindView } from '../../erp-connections/read-erp-connection.js';
import { ENGLISH, toldProblem } from '../../messages/texts.js';
import { formFieldsOf, type FormField } from './erp-form-fields.js';
import { SettingsForm, shownTime } from './settings-layout.js';

export interface ErpView {
  /** Undefined: nothing is connected. */
  readonly reading: ErpConnectionReading | undefined;
  readonly kinds: readonly ErpKindView[];
}

interface ErpSectionProps {
  readonly erp: ErpView;
  /** Of an admin; undefined: no forms. */
  readonly csrfToken: string | undefined;
}

/** The accounting system: how it is connected, and a form for each kind that can be. */
export function ErpSection({ erp: { reading, kinds }, csrfToken }: ErpSectionProps) {
  return (
    <section id="erp">
      <h2>Accounting system</h2>
      {reading === undefined ? (
        <p>
          <span className="mark open">open</span> None is connected.
        </p>
      ) : (
        <Connected reading={reading} />
      )}
      {csrfToken !== undefined &&
        kinds.map((kind) => (
          <details key={kind.kind}>
            <summary>{kind.kind === reading?.connection.kind ? `Change ${kind.name}` : `Connect ${kind.name}`}</summary>
            <KindForm kind={kind} reading={reading} csrfToken={csrfToken} />
          </details>
        ))}
    </section>
  );
}

function Connected({ reading: { name, connection, limitation } }: { readonly reading: ErpConnectionReading }) {
  const isUsable = connection.state === 'ok';
  return (
    <>
      <p>
        <span className={isUsable ? 'mark done' : 'mark open'}>{isUsable ? 'connected' : 'needs a sign-in'}</span>{' '}
        {name}, connected by {connection.connectedBy} on {shownTime(connection.connectedAt)}
      </p>
      {connection.problem !== undefined && <p className="notice">{toldProblem(ENGLISH, connection.problem)}</p>}
      {limitation !== undefined && <p className="notice">It is called less until {shownTime(limitation.until)}.</p>}
    </>
  );
}

interface KindFormProps {
  readonly kind: ErpKindView;
  readonly reading: ErpConnectionReading | undefined;
  readonly csrfToken: string;
}

function KindForm({ kind, reading, csrfToken }: KindFormProps) {
  const current = reading?.connection.kind === kind.kind ? reading.connection.settings : {};
  return (
    <SettingsForm csrfToken={csrfToken} path="erp-connection">
      <input type="hidden" name="kind" value={kind.kind} />
      {formFieldsOf(kind, current).map((field) => (
        <p key={field.name}>
          <label>
            {field.title} <Input field={field} />
          </label>
          {field.note !== '' && <span className="soft">{field.note}</span>}
        </p>
      ))}
      {reading !== undefined && (
        <p>
          <label>
            <input type="checkbox" name="confirmChange" value="true" /> If this is another accounting system: what was
            posted before stays in the one before.
          </label>
        </p>
      )}
      <p>
        {kind.hasSignIn && (
          <button className="main" formAction="/settings/erp-connection/sign-in">
            Sign in at {kind.name}
          </button>
        )}{' '}
        <button className={kind.hasSignIn ? undefined : 'main'}>Save</button>
      </p>
    </SettingsForm>
  );
}

function Input({ field: { name, input, value, choices, isRequired } }: { readonly field: FormField }) {
  switch (input) {
    case 'choice':
      return (
        <select name={name} defaultValue={value}>
          {!isRequired && <option value="">–</option>}
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      );
    case 'texts':
      return <textarea name={name} rows={5} cols={60} defaultValue={value} />;
    case 'password':
      // Never in the page: what is left empty stays as it is.
      return <input type="password" name={name} autoComplete="off" required={isRequired} />;
    default:
      return <input type={input} name={name} defaultValue={value} required={isRequired} size={40} />;
  }
}
