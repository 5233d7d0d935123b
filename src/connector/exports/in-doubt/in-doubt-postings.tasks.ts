import { companyPayload, type CompanyTask, type TaskDefinition } from '../../tasks/task-definition.js';

/** Look up in the ERP what one company's ended jobs may have posted. */
export const lookUpInDoubtPostingsTask: TaskDefinition<CompanyTask> = {
  kind: 'look-up-in-doubt-postings',
  payload: companyPayload,
  concurrency: 1,
};
