// The ERP of an installation, which only its connection knows, neither the environment nor the use cases.
import type { ErpCompanyId, InstallationId } from '../../kernel/ids.js';
import type { ConnectedErp } from './connected-erp.js';
import type { ErpCaller } from './erp-call.js';
import type { ErpCompany } from './erp-ledger.js';

export abstract class ErpConnections {
  /**
   * @param company as it was linked; one of an earlier connection of the installation is found there
   * @param caller for whom the calls are made; without one each ends after two minutes, and no other worker can own the company
   * @throws ErpUnavailable (`authentication`) when the installation has no connection, or its ERP needs a new sign-in
   */
  abstract open(
    installationId: InstallationId,
    company: ErpCompanyId,
    caller?: Partial<ErpCaller>,
  ): Promise<ConnectedErp>;

  /**
   * The companies that the credentials of the current connection give access to.
   * @throws ErpUnavailable as `open` does
   */
  abstract listCompanies(installationId: InstallationId): Promise<readonly ErpCompany[]>;
}
