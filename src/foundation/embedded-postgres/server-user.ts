import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** An unprivileged account: PostgreSQL refuses to run as root. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

const PREFERRED = ['postgres', 'nobody', 'daemon'];

/**
 * The account that the server must run as, or undefined when this process is not root and runs it itself.
 * @throws Error when root finds no unprivileged account (initdb looks its user up by name).
 */
export function serverUser(): ServerUser | undefined {
  if (process.getuid?.() !== 0) {
    return undefined;
  }
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of PREFERRED) {
    const account = accounts.find(([candidate]) => candidate === name);
    if (account) {
      return { uid: Number(account[2]), gid: Number(account[3]) };
    }
  }
  throw new Error(
    `PostgreSQL does not run as root and none of the accounts ${PREFERRED.join(', ')} exists: run as another user or set DATABASE_URL`,
  );
}

/** Whether that account can read a path through all its parent folders. */
export function canReach(user: ServerUser, path: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'test -r "$0"', path], { ...user, cwd: '/' }).status === 0;
}
