import { z } from 'zod';
import { toCompanyId, toInstallationId, type CompanyId, type InstallationId } from '../../../kernel/ids.js';
import type { TaskDefinition } from '../../tasks/task-definition.js';

export interface LookUpInDoubtPostingsTask {
  readonly installationId: InstallationId;
  readonly companyId: CompanyId;
}

/** Look up in the ERP what one company's ended jobs may have posted. */
export const lookUpInDoubtPostingsTask: TaskDefinition<LookUpInDoubtPostingsTask> = {
  kind: 'look-up-in-doubt-postings',
  payload: z.object({
    installationId: z.uuid().transform(toInstallationId),
    companyId: z.uuid().transform(toCompanyId),
  }),
  concurrency: 1,
};
