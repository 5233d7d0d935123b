import { Problem } from '../../../foundation/http/problem.js';
import type { ErpCompanyLink } from '../../installations/connect/link-erp-company.js';
import { installationNotFound } from '../people/api-token-problems.js';

/**
 * @throws Problem 422 for a company that the ERP does not have, 409 for one that is another's or belongs to another
 * connection, 404 for an installation that is not there (any more)
 */
export function assertErpCompanyLinked(outcome: ErpCompanyLink): void {
  switch (outcome) {
    case 'linked':
      return;
    case 'not-installed':
      throw installationNotFound();
    case 'unknown': {
      const detail = 'The ERP has no company with this id.';
      const errors = [{ pointer: '/erpCompanyId', detail }];
      throw new Problem({ status: 422, type: 'unknown-erp-company', detail, errors });
    }
    case 'other-company': {
      const detail =
        'This company of the ERP has another registration number than the company on the platform. Correct the number, or ask the operator of the connector to link it.';
      throw new Problem({ status: 409, type: 'other-registration-number', detail });
    }
    case 'taken': {
      const detail = 'Another connection posts to this company of the ERP. It has to be uninstalled first.';
      throw new Problem({ status: 409, type: 'erp-company-taken', detail });
    }
  }
}
