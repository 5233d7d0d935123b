import { Module } from '@nestjs/common';
import { OAuthRecordRepository } from './oauth-record.repository.js';

/** Stored grants and tokens. Apart from the authorization server, because installations end them and it creates installations. */
@Module({ providers: [OAuthRecordRepository], exports: [OAuthRecordRepository] })
export class OAuthRecordsModule {}
