// Which ERP an installation has: known to its connection, never to the environment or to the use cases.
import type { ErpCompanyId, InstallationId } from '../../kernel/ids.js';
import type { ConnectedErp } from './connected-erp.js';
import type { CallScope } from './erp-call.js';

export abstract class ErpConnections {
  /**
   * @param company as it was linked; one of an earlier connection of the installation is found there
   * @param scope for whom the calls are made; without one they end after two minutes, and nobody else may own the company
   * @throws ErpUnavailable (`authentication`) when the installation has no connection, or its ERP needs a new sign-in
   */
  abstract open(
    installationId: InstallationId,
    company: ErpCompanyId,
    scope?: Partial<CallScope>,
  ): Promise<ConnectedErp>;
}
