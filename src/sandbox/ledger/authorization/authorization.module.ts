import { Module } from '@nestjs/common';
import { AuthorizationController } from './authorization.controller.js';
import { GrantRepository } from './grant.repository.js';
import { IssueTokens } from './issue-tokens.js';

@Module({ controllers: [AuthorizationController], providers: [GrantRepository, IssueTokens] })
export class AuthorizationModule {}
