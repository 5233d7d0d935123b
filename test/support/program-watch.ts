import { openSync, closeSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HttpProxy } from '../../src/erp-contract/http-proxy.js';
import { SecretSearch } from './secret-search.js';

/** As much of a log as shows why a program did not start. */
const LAST_BYTES = 4_000;
/** For one answer of a program that may hang. */
const METRICS_MS = 5_000;

/** Keeps what all programs of a run say, in files, since a killed one leaves no pipe; at the end secrets are searched in it. */
export class ProgramWatch {
  readonly search: SecretSearch;
  private readonly metrics: string[] = [];
  private readonly outputs = new Map<string, number>();

  private constructor(
    private readonly folder: string,
    environment: Readonly<Record<string, string>>,
  ) {
    this.search = new SecretSearch(environment);
  }

  /** @param environment of the connector's programs */
  static async start(environment: Readonly<Record<string, string>>): Promise<ProgramWatch> {
    return new ProgramWatch(await mkdtemp(join(tmpdir(), 'programs-')), environment);
  }

  /** @returns file descriptor for what the program says, however often it is started */
  outputOf(program: string): number {
    const output = this.outputs.get(program) ?? openSync(this.fileOf(program), 'a');
    this.outputs.set(program, output);
    return output;
  }

  /** @param internalUrl of a program that has metrics */
  hasMetrics(internalUrl: string): void {
    this.metrics.push(new URL('/metrics', internalUrl).toString());
  }

  /** Learns from all requests to the connector, and searches its answers. */
  listenAt(proxy: HttpProxy): void {
    proxy.listener = (request, answer) => {
      this.search.learnRequest(request);
      this.search.learnResponse(request, answer);
    };
  }

  /** Looks at the metrics of the programs that still run. */
  async readMetrics(): Promise<void> {
    for (const url of this.metrics) {
      const text = await fetch(url, { signal: AbortSignal.timeout(METRICS_MS) }).then(
        (answer) => answer.text(),
        () => '',
      );
      this.search.addText('metrics', text);
    }
  }

  /** The ends of all logs. */
  async lastWords(): Promise<string> {
    const texts = [...this.outputs.keys()].map(async (program) => {
      const text = await readFile(this.fileOf(program), 'utf8');
      return `${program}:\n${text.slice(-LAST_BYTES)}\n`;
    });
    return (await Promise.all(texts)).join('');
  }

  /**
   * Searches everything, when all programs have stopped.
   * @throws Error that names every secret that got out
   */
  async end(databaseUrl: string): Promise<void> {
    for (const [program, output] of this.outputs) {
      closeSync(output);
      this.search.addText(`log of the ${program}`, await readFile(this.fileOf(program), 'utf8'));
    }
    await rm(this.folder, { recursive: true });
    await this.search.end(databaseUrl);
  }

  private fileOf(program: string): string {
    return join(this.folder, `${program}.log`);
  }
}
