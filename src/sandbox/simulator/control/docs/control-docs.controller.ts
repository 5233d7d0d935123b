import { Controller, Get, Header } from '@nestjs/common';
import { ControlApi } from '../../access/access-rules.js';
import { BEHAVIOR_OPERATIONS } from './behavior-operations.js';
import { CONTROL_OPERATIONS } from './control-operations.js';
import { docsPage } from './docs.page.js';
import { REFERENCE_OPERATIONS } from './reference-operations.js';

const OPERATIONS = [...CONTROL_OPERATIONS, ...REFERENCE_OPERATIONS, ...BEHAVIOR_OPERATIONS];

/** Describes the control: a page for people, JSON for programs. */
@ControlApi()
@Controller('control')
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
