import { toErpCompanyId } from '../../../kernel/ids.js';

/** The only company of a file connection. */
export const FILES_COMPANY = toErpCompanyId('company');
