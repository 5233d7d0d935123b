// How a company of an ERP is named in the connector's own records. Two ERPs may both have a company "1", and entries of the
// ERP before stay with it: so the id of a later connection's company carries the number of the connection.
import { toErpCompanyId, type ErpCompanyId } from '../../../kernel/ids.js';

const LATER = /^(\d{1,9})!(.+)$/s;

export interface CompanyRef {
  /** Number of the installation's connection; undefined: the first one. */
  readonly generation: number | undefined;
  /** As the ERP itself names it. */
  readonly company: ErpCompanyId;
}

/**
 * @param isFirst whether no entry of the installation names a company of an earlier connection
 * @returns an id that itself looks like one of a later connection carries its number, too
 */
export function companyRef(generation: number, isFirst: boolean, company: ErpCompanyId): ErpCompanyId {
  return isFirst && !LATER.test(company) ? company : toErpCompanyId(`${generation.toString()}!${company}`);
}

export function parseCompanyRef(ref: ErpCompanyId): CompanyRef {
  const [, generation, company] = LATER.exec(ref) ?? [];
  return generation === undefined || company === undefined
    ? { generation: undefined, company: ref }
    : { generation: Number(generation), company: toErpCompanyId(company) };
}
