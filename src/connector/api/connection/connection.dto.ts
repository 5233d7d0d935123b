import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsNotEmpty, IsString, IsUUID, Matches, MaxLength } from 'class-validator';
import { OptionalField } from '../../../foundation/http/optional-field.js';

const STEPS = ['authorization', 'subscription', 'erp-company', 'activation', 'reference-data'] as const;

export class ConnectionStepResponse {
  @ApiProperty({ enum: STEPS }) readonly step!: (typeof STEPS)[number];
  @ApiProperty() readonly done!: boolean;
  @ApiProperty({ description: 'what is there, or what is still to be done and by whom' })
  readonly detail!: string;
}

export class ConnectionProblem {
  @ApiProperty({ description: 'why connecting does not go on, for the customer’s administrator' })
  readonly text!: string;
  @ApiProperty({ format: 'date-time' }) readonly at!: Date;
}

export class PausedResponse {
  @ApiProperty({ format: 'date-time', description: 'since when' }) readonly at!: Date;
  @ApiProperty({ description: 'why, in the words of the operator' }) readonly reason!: string;
}

export class CredentialResponse {
  @ApiProperty({ enum: ['tokens', 'api-key'] }) readonly kind!: string;
  @ApiProperty({ format: 'date-time' }) readonly updatedAt!: Date;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'end of the access token, which is renewed by itself; null for an API key',
  })
  readonly expiresAt!: Date | null;
}

export class ConnectionResponse {
  @ApiProperty({ format: 'uuid' }) readonly installationId!: string;
  @ApiProperty({ format: 'uuid' }) readonly companyId!: string;
  @ApiProperty() readonly companyName!: string;
  @ApiProperty({ enum: ['authorized', 'active', 'needs_reauthorization', 'uninstalled'] })
  readonly state!: string;
  @ApiProperty({ description: 'how many times it was installed, from 1' }) readonly generation!: number;
  @ApiProperty({ enum: ['company', 'organization'], description: 'whose the credential is' })
  readonly accessLevel!: string;
  @ApiProperty({ type: CredentialResponse, nullable: true })
  readonly credential!: CredentialResponse | null;
  @ApiProperty({ type: [ConnectionStepResponse] }) readonly steps!: readonly ConnectionStepResponse[];
  @ApiProperty({ type: String, enum: STEPS, nullable: true, description: 'the first step that is not done' })
  readonly next!: string | null;
  @ApiProperty({ type: ConnectionProblem, nullable: true, description: 'of the last attempt' })
  readonly problem!: ConnectionProblem | null;
  @ApiProperty({
    type: PausedResponse,
    nullable: true,
    description: 'while the operator of the service has paused exports; null: they are not paused',
  })
  readonly paused!: PausedResponse | null;
}

const API_KEY = { description: 'the platform’s API key; stored sealed and never shown', maxLength: 512 };

export class ApiKeyRequest {
  @ApiProperty(API_KEY)
  @IsString()
  @MaxLength(512)
  @Matches(/^[\x21-\x39\x3b-\x7e]+$/, { message: 'apiKey has visible characters only, and no colon' })
  readonly apiKey!: string;
}

export class ApiKeyConnectionRequest extends ApiKeyRequest {
  @ApiPropertyOptional({ format: 'uuid', description: 'which company of an organization’s key' })
  @OptionalField()
  @IsUUID()
  readonly companyId?: string;
}

export class ApiKeyConnectionResponse {
  @ApiProperty({ format: 'uuid' }) readonly installationId!: string;
  @ApiProperty() readonly companyName!: string;
}

export class UninstallQuery {
  @ApiProperty({ description: 'the company’s name, letter by letter, as a confirmation' })
  @IsString()
  @IsNotEmpty()
  @MaxLength(500)
  readonly companyName!: string;
}

export class UninstallResponse {
  @ApiProperty({
    description: 'whether the platform has confirmed it; where it has not, remove the app on the platform as well',
  })
  readonly platformNotified!: boolean;
}

export class WrappedKeysResponse {
  @ApiProperty({ description: 'id in CREDENTIAL_KEYS' }) readonly keyId!: string;
  @ApiProperty({ description: 'how many installations’ data keys it wraps' }) readonly installations!: number;
}

export class KeyRotationResponse {
  @ApiProperty({ description: 'id of the first key of CREDENTIAL_KEYS' }) readonly primary!: string;
  @ApiProperty({
    type: [WrappedKeysResponse],
    description: 'a key that is not listed here may be removed from CREDENTIAL_KEYS',
  })
  readonly wrapped!: readonly WrappedKeysResponse[];
}
