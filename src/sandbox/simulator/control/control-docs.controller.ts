import { Controller, Get, Header, UseGuards } from '@nestjs/common';
import { BEHAVIOUR_OPERATIONS } from './behaviour-operations.js';
import { ControlGuard } from './control.guard.js';
import { CONTROL_OPERATIONS } from './control-operations.js';
import { docsPage } from './docs.page.js';
import { REFERENCE_OPERATIONS } from './reference-operations.js';

const OPERATIONS = [...CONTROL_OPERATIONS, ...REFERENCE_OPERATIONS, ...BEHAVIOUR_OPERATIONS];

/** Describes the control: a page for people, JSON for programs. */
@Controller('control')
@UseGuards(ControlGuard)
export class ControlDocsController {
  @Get('docs')
  @Header('content-type', 'text/html; charset=utf-8')
  page(): string {
    return docsPage(OPERATIONS);
  }

  @Get('docs.json')
  operations(): object {
    return OPERATIONS;
  }
}
