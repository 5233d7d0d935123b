import { z } from 'zod';
import { toCompanyId, toInstallationId, type CompanyId, type InstallationId } from '../../../kernel/ids.js';
import type { TaskDefinition } from '../../tasks/task-definition.js';

export interface SettleUncertainTask {
  readonly installationId: InstallationId;
  readonly companyId: CompanyId;
}

/** Ask the ERP for what one company's ended jobs may have posted. */
export const settleUncertainTask: TaskDefinition<SettleUncertainTask> = {
  kind: 'settle-uncertain-postings',
  payload: z.object({
    installationId: z.uuid().transform(toInstallationId),
    companyId: z.uuid().transform(toCompanyId),
  }),
  concurrency: 1,
};
