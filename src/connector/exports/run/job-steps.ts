import { Injectable } from '@nestjs/common';
import { CheckJob } from './check-job.js';
import { DecideVerdict } from './decide-verdict.js';
import { ExportItems } from '../items/export-items.js';
import { GiveUp } from './give-up.js';
import { RelayOutbox } from '../reporting/relay-outbox.js';
import { StartJob } from './start-job.js';

/** What `run-export-job.ts` does with a job, in this order; the relay delivers in between. */
@Injectable()
export class JobSteps {
  constructor(
    readonly relay: RelayOutbox,
    readonly start: StartJob,
    readonly check: CheckJob,
    readonly items: ExportItems,
    readonly giveUp: GiveUp,
    readonly verdict: DecideVerdict,
  ) {}
}
