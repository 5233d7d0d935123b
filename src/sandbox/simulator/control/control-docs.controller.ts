import { Controller, Get, Header, UseGuards } from '@nestjs/common';
import { BEHAVIOR_OPERATIONS } from './behavior-operations.js';
import { ControlGuard } from './control.guard.js';
import { CONTROL_OPERATIONS } from './control-operations.js';
import { docsPage } from './docs.page.js';
import { REFERENCE_OPERATIONS } from './reference-operations.js';

const OPERATIONS = [...CONTROL_OPERATIONS, ...REFERENCE_OPERATIONS, ...BEHAVIOR_OPERATIONS];

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
