import { Module } from '@nestjs/common';
import { DeleteOldPageEvents } from './delete-old-page-events.js';
import { PageEventReader } from './page-event.reader.js';

@Module({
  providers: [DeleteOldPageEvents, PageEventReader],
  exports: [DeleteOldPageEvents, PageEventReader],
})
export class PageEventsModule {}
