import type { HttpProxy, Passage, Passing, ScriptedResponse } from '../../../src/erp-contract/http-proxy.js';
import type { Connection, DatabasePassage, DatabaseTap, Question } from '../../support/servers/postgres-proxy.js';
import { claimsOf } from './access-token.js';
import type { Boundary, Fault, Round } from './faults.js';
import type { Program, Strike } from './program.js';
import { statementName } from './statement-name.js';

const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;
const NEW_INSTALLATION = /\bINSERT INTO installation\b/i;
/** Owner of a connection that works for a subject of the round. */
const OURS = 'ours';
const DRIP_MS = 150;
const HTML = '<!doctype html><title>Maintenance</title><h1>We are back soon</h1>';

/** What a round is about, and what is done in it besides its fault. */
export interface Concern {
  /** Ids or names that what passes has to mention. */
  readonly subjects: readonly string[];
  readonly intervene?: ((name: string, passing: Passing) => Promise<ScriptedResponse | undefined>) | undefined;
}

/** Counts what passes for the subjects of a round while it goes on, and does the round's fault at its boundary. */
export class Tap {
  /** What has passed, in order. */
  readonly trace: string[] = [];
  isHit = false;
  private counts = new Map<string, number>();
  private readonly tasks = new Set<string>();
  private readonly ordinals = new WeakMap<object, Boundary>();
  private readonly answers = new WeakMap<Passing, string>();
  private round: Round | undefined;
  private isOn = false;
  private readonly known = new Set<string>();
  private intervene: Concern['intervene'];

  constructor(private readonly strike: Strike) {}

  /** Ids and names of what the round is about, also those that came to light in it. */
  get subjects(): readonly string[] {
    return [...this.known];
  }

  /** @param round whose fault is done; undefined: everything passes and is recorded */
  begin({ subjects, intervene }: Concern, round?: Round): void {
    this.known.clear();
    subjects.forEach((subject) => this.known.add(subject));
    this.intervene = intervene;
    this.trace.length = 0;
    this.counts = new Map();
    this.tasks.clear();
    this.round = round;
    this.isHit = false;
    this.isOn = true;
  }

  /** Everything passes from now on. */
  end(): readonly Boundary[] {
    this.isOn = false;
    return [...this.counts].flatMap(([name, count]) =>
      Array.from({ length: count }, (_, index) => ({ name, ordinal: index + 1 })),
    );
  }

  /**
   * @param programOf whom a fault at a request is for
   * @param lineOf what a request goes from and to; undefined where it is nothing to us
   */
  tapHttp(
    proxy: HttpProxy,
    programOf: (passing: Passing) => Program,
    lineOf: (passing: Passing) => string | undefined,
  ): void {
    proxy.listener = (passing, { body }) => this.answers.set(passing, body);
    proxy.boundaries = {
      onRequest: async (passing) => {
        const line = this.isOn && this.concerns(passing) ? lineOf(passing) : undefined;
        if (line === undefined) {
          return true;
        }
        const path = passing.path
          .replace(/\?.*/s, '')
          .replaceAll(UUID, '*')
          .replace(/^(\/webhooks\/).*/, '$1*');
        const boundary = this.pass(passing, `${line} ${passing.method} ${path}`);
        const answer = await this.intervene?.(boundary.name, passing);
        const fault = this.faultAt(boundary, 'before');
        if (fault === undefined) {
          return answer ?? true;
        }
        const passage = await this.disturbRequest(fault, passing, proxy, programOf(passing));
        return passage === true ? (answer ?? true) : passage;
      },
      onResponse: (passing, status) => {
        const boundary = this.ordinals.get(passing);
        const fault = boundary === undefined ? undefined : this.faultAt(boundary, 'after');
        const body = this.answers.get(passing) ?? '';
        return fault === undefined ? true : this.disturbAnswer(fault, body, status, programOf(passing));
      },
    };
  }

  /** @param programOf whose connection it is */
  databaseTap(programOf: (connection: Connection) => Program): DatabaseTap {
    return {
      onQuestion: (question) => this.onQuestion(question, programOf(question.connection)),
      onAnswer: (question, answer) => this.onAnswer(question, answer, programOf(question.connection)),
    };
  }

  private onQuestion(question: Question, program: Program): DatabasePassage {
    if (!this.isOn || !(program.kind === 'keys' || this.isOurs(question))) {
      return 'pass';
    }
    const boundary = this.pass(question, nameOf(question, program));
    const fault = this.faultAt(boundary, 'before');
    return fault === undefined ? (program.intervene?.(boundary.name) ?? 'pass') : this.disturbDatabase(fault, program);
  }

  private onAnswer(question: Question, answer: Buffer, program: Program): DatabasePassage {
    let boundary = this.ordinals.get(question);
    if (this.isOn && boundary === undefined && statementName(question.text) === 'take task') {
      const text = answer.toString('latin1');
      if ([...this.known].some((subject) => text.includes(subject))) {
        text.match(UUID)?.forEach((id) => this.tasks.add(id));
        boundary = this.pass(question, nameOf(question, program));
      }
    }
    return boundary === undefined ? 'pass' : this.disturbDatabase(this.faultAt(boundary, 'after'), program);
  }

  private isOurs({ sent, text, connection }: Question): boolean {
    const isNamed = [...this.known, ...this.tasks].some((id) => sent.includes(id));
    if (isNamed && NEW_INSTALLATION.test(text)) {
      sent
        .toString('latin1')
        .match(UUID)
        ?.forEach((id) => this.known.add(id));
    }
    connection.owner = isNamed ? OURS : connection.owner;
    return connection.owner === OURS;
  }

  /** Whether a request is of another company: by its address, or by the token it is made with. */
  private concerns({ path, headers }: Passing): boolean {
    const token = claimsOf(headers.authorization);
    const named = `${path} ${token}`.match(/\/companies\/[^/?]+/g) ?? [];
    const companies = token === '' ? named : [...named, ...(token.match(UUID) ?? [])];
    const others = companies.filter((company) => ![...this.known].some((subject) => company.includes(subject)));
    return companies.length === 0 || others.length < companies.length;
  }

  private pass(what: object, name: string): Boundary {
    const ordinal = (this.counts.get(name) ?? 0) + 1;
    this.counts.set(name, ordinal);
    const boundary = { name, ordinal };
    this.ordinals.set(what, boundary);
    this.trace.push(`${name}#${ordinal.toString()}`);
    return boundary;
  }

  private faultAt({ name, ordinal }: Boundary, when: 'before' | 'after'): Fault | undefined {
    const { round } = this;
    if (!this.isOn || this.isHit || round?.name !== name || round.ordinal !== ordinal) {
      return undefined;
    }
    const isAfter = round.fault.endsWith('-after') || round.fault === 'truncated' || round.fault === 'drip';
    if (isAfter !== (when === 'after')) {
      return undefined;
    }
    this.isHit = true;
    this.trace.push(`*** ${round.fault}`);
    return round.fault;
  }

  private async disturbRequest(fault: Fault, passing: Passing, proxy: HttpProxy, program: Program): Promise<Passage> {
    switch (fault) {
      case 'duplicate':
        await proxy.deliver(passing);
        return true;
      case '429':
        return { status: 429, headers: { 'retry-after': '1' }, body: '{}' };
      case '500-before':
        return { status: 500, body: '{}' };
      case 'html':
        return { status: 200, headers: { 'content-type': 'text/html' }, body: HTML };
      case 'kill-before':
        this.strike.kill(program);
        return 'cut';
      case 'stop-before':
        await this.strike.stop(program);
        return true;
      case 'hole-before':
        return false;
      default:
        return 'cut';
    }
  }

  private disturbAnswer(fault: Fault, body: string, status: number, program: Program): Passage {
    switch (fault) {
      case '500-after':
        return { status: 500, body: '{}' };
      case 'truncated':
        return { status, body: body.slice(0, Math.floor(body.length / 2)), truncated: true };
      case 'drip':
        return { status, body, pauseMs: DRIP_MS };
      case 'kill-after':
        this.strike.kill(program);
        return 'cut';
      case 'stop-after':
        void this.strike.stop(program);
        return true;
      case 'hole-after':
        return false;
      default:
        return 'cut';
    }
  }

  private disturbDatabase(fault: Fault | undefined, program: Program): DatabasePassage {
    switch (fault) {
      case undefined:
        return 'pass';
      case 'stop-before':
        return this.strike.stop(program);
      case 'stop-after':
        void this.strike.stop(program);
        return 'pass';
      case 'kill-before':
      case 'kill-after':
        this.strike.kill(program);
        return 'cut';
      case 'hole-before':
      case 'hole-after':
        return 'lost';
      default:
        return 'cut';
    }
  }
}

function nameOf({ text }: Question, { kind }: Program): string {
  return `${kind}>db ${statementName(text)}`;
}
