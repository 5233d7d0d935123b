import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { instantResponseField, uuidResponseField } from '../wire/response-schemas.js';

/** States of P3.6. */
export const INSTALLATION_STATUSES = ['AUTHORIZED', 'PENDING_INTEGRATION', 'ACTIVATED', 'INACTIVE', 'ERROR'] as const;
export type InstallationStatus = (typeof INSTALLATION_STATUSES)[number];

/** One application installed for one company or organization. */
export interface Installation {
  readonly id: string;
  readonly applicationId: string;
  /** URN of what it is installed for. */
  readonly resource: string;
  readonly status: InstallationStatus;
  readonly errorCode: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** An installation a moment after consent: authorized, not yet activated. */
export function newInstallation(
  owner: Pick<Installation, 'applicationId' | 'resource'>,
  now: Date,
  given: Partial<Pick<Installation, 'status' | 'metadata'>> = {},
): Installation {
  return {
    id: randomUUID(),
    applicationId: owner.applicationId,
    resource: owner.resource,
    status: given.status ?? 'AUTHORIZED',
    errorCode: null,
    metadata: given.metadata ?? {},
    createdAt: now,
    updatedAt: now,
  };
}

export const installationResponseSchema = z.object({
  id: uuidResponseField,
  applicationId: uuidResponseField,
  resource: z.string(),
  status: z.enum(INSTALLATION_STATUSES),
  metadata: z.record(z.string(), z.unknown()),
  errorCode: z.enum(['NOT_ENTITLED', 'AUTH_ERROR']).optional(),
  createdAt: instantResponseField,
  updatedAt: instantResponseField,
});

/** The bare object of the Installations API: no `data` around it (P3.6). */
export function installationWire(installation: Installation): object {
  const { id, applicationId, resource, status, errorCode, metadata, createdAt, updatedAt } = installation;
  return {
    id,
    applicationId,
    resource,
    status,
    metadata,
    ...(errorCode === null ? {} : { errorCode }),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
