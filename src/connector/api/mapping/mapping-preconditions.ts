// How every route that saves a mapping asks for the version that was edited, and what it answers when it cannot save.
import type { FastifyReply } from 'fastify';
import { Problem } from '../../../foundation/http/problem.js';
import type { VersionRecord } from '../../mapping/domain/mapping.js';

export const IF_MATCH = {
  name: 'If-Match',
  required: true,
  description: 'ETag of the mapping version that was edited, "0" for the first',
  example: '"12"',
};

const ETAG = /^"(\d{1,9})"$/;

/**
 * @param ifMatch the header as it came
 * @throws Problem 428 without it, 412 when it is no ETag of a mapping
 */
export function expectedVersionOf(ifMatch: string | undefined): number {
  if (ifMatch === undefined) {
    const detail = 'Send If-Match with the ETag of the version you edited, or "0" for the first.';
    throw new Problem({ status: 428, type: 'precondition-required', detail });
  }
  const version = ETAG.exec(ifMatch)?.[1];
  if (version === undefined) {
    throw new Problem({
      status: 412,
      type: 'version-changed',
      detail: 'If-Match is no ETag of this mapping.',
    });
  }
  return Number(version);
}

export function setEtag(reply: FastifyReply, version: number): void {
  void reply.header('etag', `"${version.toString()}"`);
}

export function staleVersion(): Problem {
  const detail =
    'Somebody else has saved meanwhile. Read the mapping again, repeat your change, and save with the new ETag.';
  return new Problem({ status: 412, type: 'version-changed', detail });
}

/** Rules go with settings: which version would they belong to? */
export function settingsMissing(): Problem {
  const detail = 'Save the accounts and policies first: PUT /api/v1/settings with If-Match: "0".';
  return new Problem({ status: 409, type: 'settings-missing', detail });
}

export function unknownVersion(): Problem {
  return new Problem({ status: 404, type: 'not-found', detail: 'There is no such mapping version.' });
}

/** The newest version after a save: what was written, or what was seen when nothing was different. */
export function versionAfter(record: VersionRecord | undefined, seen: number): number {
  return record?.version ?? seen;
}
