import { IsNotEmpty, IsString, Matches, MaxLength } from 'class-validator';
import { input } from '../../../foundation/http/input.js';
import { field, shape, shapeWith } from '../../../foundation/http/shape.js';

const STEPS = ['authorization', 'subscription', 'erp-company', 'activation', 'reference-data'] as const;

export class ConnectionStepResponse extends shape({
  step: field.oneOf(STEPS),
  done: field.flag(),
  detail: field.text('what is there, or what is still to be done and by whom'),
}) {}

export class ConnectionProblem extends shape({
  text: field.text('why connecting does not go on, for the customer’s administrator'),
  at: field.instant(),
}) {}

export class PausedResponse extends shape({
  at: field.instant('since when'),
  reason: field.text('why, in the words of the operator'),
}) {}

export class CredentialResponse extends shape({
  kind: field.oneOf(['tokens', 'api-key']),
  updatedAt: field.instant(),
  expiresAt: field.instant('end of the access token, which is renewed by itself; null for an API key').nullable(),
}) {}

export class ConnectionResponse extends shape({
  installationId: field.uuid(),
  companyId: field.uuid(),
  companyName: field.text(),
  state: field.oneOf(['authorized', 'active', 'needs_reauthorization', 'uninstalled']),
  generation: field.number('how many times it was installed, from 1'),
  accessLevel: field.oneOf(['company', 'organization'], 'whose the credential is'),
  credential: field.one(CredentialResponse).nullable(),
  steps: field.many(ConnectionStepResponse),
  next: field.oneOf(STEPS, 'the first step that is not done').nullable(),
  problem: field.one(ConnectionProblem, 'of the last attempt').nullable(),
  paused: field
    .one(PausedResponse, 'while the operator of the service has paused exports; null: they are not paused')
    .nullable(),
}) {}

export class ApiKeyRequest extends shape({
  apiKey: input.of<string>(
    { type: String, description: 'the platform’s API key; stored sealed and never shown', maxLength: 512 },
    IsString(),
    MaxLength(512),
    Matches(/^[\x21-\x39\x3b-\x7e]+$/, { message: 'apiKey has visible characters only, and no colon' }),
  ),
}) {}

export class ApiKeyConnectionRequest extends shapeWith(ApiKeyRequest, {
  companyId: input.uuid('which company of an organization’s key').optional(),
}) {}

export class ApiKeyConnectionResponse extends shape({
  installationId: field.uuid(),
  companyName: field.text(),
}) {}

export class UninstallQuery extends shape({
  companyName: input.text('the company’s name, letter by letter, as a confirmation', IsNotEmpty(), MaxLength(500)),
}) {}

export class UninstallResponse extends shape({
  platformNotified: field.flag(
    'whether the platform has confirmed it; where it has not, remove the app on the platform as well',
  ),
}) {}

export class WrappedKeysResponse extends shape({
  keyId: field.text('id in CREDENTIAL_KEYS'),
  installations: field.number('how many installations’ data keys it wraps'),
}) {}

export class KeyRotationResponse extends shape({
  primary: field.text('id of the first key of CREDENTIAL_KEYS'),
  wrapped: field.many(WrappedKeysResponse, 'a key that is not listed here may be removed from CREDENTIAL_KEYS'),
}) {}
