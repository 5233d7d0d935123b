import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';

interface DocumentRun {
  /** Exit code and output where a line failed; undefined: all lines worked. */
  readonly failure: string | undefined;
  /** What the lines said, errors included. */
  readonly output: string;
}

/**
 * Runs every line of the `sh` blocks of a document, one after the other, in one bash.
 * @param environment besides that of the test
 */
export async function runDocument(
  file: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<DocumentRun> {
  const text = await readFile(file, 'utf8');
  const lines = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = '']) => block).join('');
  const child = spawn('timeout', ['100', 'bash', '-c', `set -eEo pipefail\n${lines}`], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (output += String(chunk)));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { failure: code === 0 ? undefined : `${code?.toString() ?? 'killed'}: ${output}`, output };
}
