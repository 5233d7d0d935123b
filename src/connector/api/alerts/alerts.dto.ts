import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsString,
  MaxLength,
  MinLength,
  ValidateIf,
} from 'class-validator';
import { OptionalField } from '../../../foundation/http/optional-field.js';
import { ALERT_KINDS, type AlertKind } from '../../alerts/domain/alert.js';
import { ALERT_CHANNELS, type AlertChannel } from '../../alerts/domain/alert-settings.js';
import { MessageResponse } from '../../messages/message.dto.js';
import { PageResponse } from '../http/page.dto.js';

const MAX_ADDRESS_LENGTH = 2_048;

const KINDS = {
  enum: ALERT_KINDS,
  isArray: true,
  maxItems: ALERT_KINDS.length,
  description:
    'export-failed · export-with-errors · deadline-near: an open export ends within 15 minutes · authorization-needed: of the platform · erp-authorization-needed: the accounting system refuses the credentials · subscription-disabled · discrepancies-overdue: open for longer than the limit of the reconciliation settings · in-doubt-posting · sync-failed: a reference-data run · digest-daily, digest-weekly: what is open, at seven in the company’s morning and on Mondays, only when something is',
};

export class AlertSettingsRequest {
  @ApiProperty({ enum: ALERT_CHANNELS })
  @IsIn(ALERT_CHANNELS)
  readonly channel!: AlertChannel;

  @ApiPropertyOptional({
    maxLength: MAX_ADDRESS_LENGTH,
    description:
      'https address of the webhook, or mail address; left out, the one of the same channel is kept; without meaning when the channel is off',
  })
  @ValidateIf(({ channel, address }: AlertSettingsRequest) => channel !== 'off' && address !== undefined)
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_ADDRESS_LENGTH)
  readonly address?: string;

  @ApiProperty(KINDS)
  @IsArray()
  @ArrayMaxSize(ALERT_KINDS.length)
  @ArrayUnique()
  @IsIn(ALERT_KINDS, { each: true })
  readonly kinds!: readonly AlertKind[];

  @ApiPropertyOptional({ default: false, description: 'makes a new secret for the webhook' })
  @OptionalField()
  @IsBoolean()
  readonly newSecret: boolean = false;
}

export class AlertSettingsResponse {
  @ApiProperty({ description: '0: never saved' }) readonly version!: number;
  @ApiProperty({ enum: ALERT_CHANNELS }) readonly channel!: AlertChannel;
  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'mail address; of a webhook only the host and the last four characters, since it may be a secret itself',
  })
  readonly address!: string | null;
  @ApiProperty(KINDS) readonly kinds!: readonly AlertKind[];
}

export class AlertSettingsSavedResponse extends AlertSettingsResponse {
  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'signs the webhook’s messages (Standard Webhooks); shown only when the webhook is new or a new secret was requested',
  })
  readonly secret!: string | null;
}

export class AlertTestResponse {
  @ApiProperty() readonly delivered!: boolean;
  @ApiProperty({ type: String, nullable: true, description: 'why it was not' })
  readonly problem!: string | null;
}

export class AlertResponse {
  @ApiProperty({ format: 'uuid' }) readonly id!: string;
  @ApiProperty({ enum: ALERT_KINDS }) readonly kind!: AlertKind;
  @ApiProperty({ description: 'in English' }) readonly title!: string;
  @ApiProperty({ description: 'in English' }) readonly advice!: string;
  @ApiProperty({ type: MessageResponse, description: 'the title' }) readonly message!: MessageResponse;
  @ApiProperty({ type: MessageResponse, description: 'the advice' }) readonly action!: MessageResponse;
  @ApiProperty({ format: 'date-time' }) readonly raisedAt!: Date;
  @ApiProperty({
    enum: ['waiting', 'sent', 'failed'],
    description: 'waiting: for the hourly limit or another attempt · failed: given up',
  })
  readonly state!: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) readonly sentAt!: Date | null;
  @ApiProperty({ type: String, nullable: true, description: 'of the last attempt that failed' })
  readonly problem!: string | null;
}

export class AlertsResponse extends PageResponse {
  @ApiProperty({ type: [AlertResponse] }) readonly data!: readonly AlertResponse[];
}
