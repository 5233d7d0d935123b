import { Module } from '@nestjs/common';
import { MappingVersionRepository } from './mapping-version.repository.js';
import { MappingService } from './mapping.service.js';

@Module({ providers: [MappingVersionRepository, MappingService], exports: [MappingService] })
export class MappingModule {}
