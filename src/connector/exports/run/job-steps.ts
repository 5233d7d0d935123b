import { Injectable } from '@nestjs/common';
import { CheckJob } from './check-job.js';
import { DecideVerdict } from './decide-verdict.js';
import { ProcessJobItems } from '../items/process-job-items.js';
import { FailUnfinishedItems } from './fail-unfinished-items.js';
import { RelayOutbox } from '../reporting/relay-outbox.js';
import { StartJob } from './start-job.js';

/** What `run-export-job.ts` does with a job, in this order; the relay delivers in between. */
@Injectable()
export class JobSteps {
  constructor(
    readonly relayOutbox: RelayOutbox,
    readonly startJob: StartJob,
    readonly checkJob: CheckJob,
    readonly processJobItems: ProcessJobItems,
    readonly failUnfinishedItems: FailUnfinishedItems,
    readonly decideVerdict: DecideVerdict,
  ) {}
}
