import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { OptionalField } from '../../../foundation/http/optional-field.js';
import { NOTIFICATION_STATES, type NotificationState } from '../../webhooks/domain/notification-state.js';
import { LongPageQuery, PageResponse } from '../http/page.dto.js';

export class NotificationsQuery extends LongPageQuery {
  @ApiPropertyOptional({ enum: NOTIFICATION_STATES })
  @OptionalField()
  @IsIn(NOTIFICATION_STATES)
  readonly state?: NotificationState;
}

export class NotificationResponse {
  @ApiProperty() readonly id!: string;
  @ApiProperty({
    enum: NOTIFICATION_STATES,
    description:
      'taken: accepted · ignored: accepted, of an event we do not act on · quarantined: signed, but not accepted · replayed: was quarantined, and accepted since',
  })
  readonly state!: NotificationState;
  @ApiProperty() readonly webhookId!: string;
  @ApiProperty({ type: String, nullable: true }) readonly eventId!: string | null;
  @ApiProperty({ type: String, nullable: true }) readonly eventType!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    enum: ['malformed', 'foreign-company', 'company-not-mapped', 'conflicting-body'],
  })
  readonly reason!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'the reason in words' })
  readonly detail!: string | null;
  @ApiProperty() readonly bodyBytes!: number;
  @ApiProperty({ description: 'how often a quarantined message came' }) readonly deliveries!: number;
  @ApiProperty({ format: 'date-time' }) readonly receivedAt!: Date;
  @ApiProperty({ format: 'date-time' }) readonly lastReceivedAt!: Date;
}

export class NotificationsResponse extends PageResponse {
  @ApiProperty({ type: [NotificationResponse] }) readonly data!: readonly NotificationResponse[];
}

export class ReplayResponse {
  @ApiProperty({
    enum: ['stored', 'duplicate', 'requeued', 'quarantined'],
    description: 'stored: it is accepted · duplicate: it was accepted before · quarantined: it is quarantined again',
  })
  readonly outcome!: string;
  @ApiProperty({ type: String, nullable: true, description: 'why it is quarantined again' })
  readonly detail!: string | null;
}
