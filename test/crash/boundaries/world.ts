import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { RunningPrograms } from '../../support/running-programs.js';
import type { TappedPrograms } from './tapped-programs.js';
import type { Variant } from './variant.js';

/**
 * A webhook that was lost with its third attempt is made up for by the next poll, within two minutes; a refresh of the tokens whose
 * response is lost is waited for five minutes, since the refresh token may be used up. Then the work itself.
 */
const QUIET_MS = 400_000;
const LOOK_EVERY_MS = 250;
/** A person looks at the page again and presses the button once more. */
const PATIENCE_MS = 5_000;
const TRY_AGAIN_MS = 500;
const GIVE_UP_MS = 120_000;
/** Try again: the request is still under way, or came too often. */
const NOT_NOW: ReadonlySet<number> = new Set([409, 425, 429]);
/** A request whose outcome is unknown keeps its key for five minutes; a person reloads the page before, which makes another. */
const SAME_KEY_MS = 20_000;

interface Wish {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly json?: unknown;
  /** Of whom; the demo's administrator where nothing is said. */
  readonly token?: string;
  /** Statuses that say that an earlier answer was lost. */
  readonly accepts?: readonly number[];
  /** Types of a problem that say so. */
  readonly settledBy?: readonly string[];
}

/** What every scenario has: the programs, and the records of all of them. */
export class World {
  constructor(
    readonly tapped: TappedPrograms,
    readonly database: pg.Client,
    /** Of the demo company. */
    readonly installationId: string,
    /** Of an administrator there. */
    private readonly token: string,
    readonly variant: Variant,
  ) {}

  get programs(): RunningPrograms {
    return this.tapped.programs;
  }

  /** @returns the column `text` of what the statement finds */
  async texts(statement: string, values: readonly unknown[] = []): Promise<readonly string[]> {
    const { rows } = await this.database.query<{ text: string }>(statement, [...values]);
    return rows.map(({ text }) => text);
  }

  /** Whether the statement finds anything. */
  async finds(statement: string, values: readonly unknown[] = []): Promise<boolean> {
    return (await this.database.query(statement, [...values])).rows.length > 0;
  }

  /** @returns what is wrong when it does not come to that in time */
  async untilQuiet({ isQuiet }: { readonly isQuiet: () => Promise<boolean> }): Promise<readonly string[]> {
    const { clock } = this.programs;
    const giveUpAt = clock.monotonicMs() + QUIET_MS;
    while (!(await isQuiet())) {
      if (clock.monotonicMs() > giveUpAt) {
        return [`not at an end after ${(QUIET_MS / 1_000).toString()} s`];
      }
      await clock.sleep(LOOK_EVERY_MS);
    }
    return [];
  }

  /** @throws Error when it does not come to that in time */
  async until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    if ((await this.untilQuiet({ isQuiet: isSo })).length > 0) {
      throw new Error(`${what}: it did not come to that`);
    }
  }

  /**
   * Asks the connector as a client does that wants something once: again after every answer that says nothing, at first with the same key.
   * @returns the body of the answer, `undefined` for none
   * @throws Error when it is refused, or not answered for two minutes
   */
  async ask({ method, path, json, token = this.token, accepts = [], settledBy = [] }: Wish): Promise<unknown> {
    const { clock, connectorProxy } = this.programs;
    const startedAt = clock.monotonicMs();
    const giveUpAt = startedAt + GIVE_UP_MS;
    const headers = {
      authorization: `Bearer ${token}`,
      'idempotency-key': randomUUID(),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const body = json === undefined ? null : JSON.stringify(json);
    let last = 'nothing';
    while (clock.monotonicMs() < giveUpAt) {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const answer = await fetch(`${connectorProxy.url}${path}`, { method, headers, body, signal })
        .then(async (response) => ({ status: response.status, text: await response.text() }))
        // None, or one that was cut off.
        .catch(() => undefined);
      const isSaid = answer !== undefined && answer.status < 300 && isDocument(answer.text);
      if (isSaid) {
        return answer.text === '' ? undefined : JSON.parse(answer.text);
      }
      if (answer !== undefined && (accepts.includes(answer.status) || settledBy.includes(problemOf(answer.text)))) {
        return undefined;
      }
      last = answer === undefined ? last : `${answer.status.toString()} ${answer.text.slice(0, 300)}`;
      if (answer !== undefined && answer.status >= 400 && answer.status < 500 && !NOT_NOW.has(answer.status)) {
        break;
      }
      if (clock.monotonicMs() - startedAt > SAME_KEY_MS) {
        headers['idempotency-key'] = randomUUID();
      }
      await clock.sleep(TRY_AGAIN_MS);
    }
    throw new Error(`the connector has answered ${method} ${path} with ${last}`);
  }
}

/** @returns a sentence when they are not the same */
export function difference(what: string, found: unknown, expected: unknown): readonly string[] {
  const [is, should] = [JSON.stringify(found), JSON.stringify(expected)];
  return is === should ? [] : [`${what}: ${is} in place of ${should}`];
}

/** @returns the name of a problem; empty for another document */
function problemOf(text: string): string {
  return /"type":"urn:problem:([a-z-]+)"/.exec(text)?.[1] ?? '';
}

function isDocument(text: string): boolean {
  try {
    return text === '' || typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}
