import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { ListRepository, WritableRepository } from '../companies/company-master-data.js';
import type { PageStart } from '../http/page.js';
import type { NewVendorDto, StoredVendorDto, VendorDto } from './vendor.dto.js';

const COLUMNS = sql`
  id, number, external_id AS "externalId", name, country, registration_number AS "registrationNumber",
  tax_registration_number AS "taxRegistrationNumber", payable_account_code AS "payableAccountCode",
  default_currency AS "defaultCurrency", is_employee AS "isEmployee", blocked, archived`;

@Injectable()
export class VendorRepository implements ListRepository<StoredVendorDto>, WritableRepository<VendorDto> {
  readonly subject = 'vendors';
  readonly sortedBy = ['number'] as const;

  async upsert(tx: Tx, companyId: string, vendors: readonly VendorDto[]): Promise<void> {
    await tx.execute(sql`
      INSERT INTO vendor (company_id, number, external_id, name, country, registration_number,
        tax_registration_number, payable_account_code, default_currency, is_employee, blocked, archived)
      SELECT ${companyId}::uuid, new.number, new."externalId", new.name, new.country, new."registrationNumber",
        new."taxRegistrationNumber", new."payableAccountCode", new."defaultCurrency", new."isEmployee", new.blocked,
        new.archived
      FROM jsonb_to_recordset(${JSON.stringify(vendors)}::jsonb)
        AS new (number text, "externalId" text, name text, country text, "registrationNumber" text,
          "taxRegistrationNumber" text, "payableAccountCode" text, "defaultCurrency" text, "isEmployee" boolean,
          blocked boolean, archived boolean)
      ORDER BY new.number
      ON CONFLICT (company_id, number) DO UPDATE SET external_id = EXCLUDED.external_id, name = EXCLUDED.name,
        country = EXCLUDED.country, registration_number = EXCLUDED.registration_number,
        tax_registration_number = EXCLUDED.tax_registration_number,
        payable_account_code = EXCLUDED.payable_account_code, default_currency = EXCLUDED.default_currency,
        is_employee = EXCLUDED.is_employee, blocked = EXCLUDED.blocked, archived = EXCLUDED.archived`);
  }

  async findByKey(tx: Tx, companyId: string, key: string): Promise<StoredVendorDto | undefined> {
    return tx.maybeOne(sql`
      SELECT ${COLUMNS}
      FROM vendor WHERE company_id = ${companyId} AND creation_key = ${key}`);
  }

  /** @returns the next number of the series that no vendor has, such as V-00001 */
  async allocateNumber(tx: Tx, companyId: string): Promise<string> {
    const { number } = await tx.one<{ number: string }>(sql`
      WITH RECURSIVE candidate (sequence, label) AS (
        SELECT last_vendor_number, NULL FROM company WHERE id = ${companyId}
        UNION ALL
        SELECT sequence + 1, concat('V-', lpad((sequence + 1)::text, greatest(5, length((sequence + 1)::text)), '0'))
        FROM candidate
        WHERE label IS NULL OR EXISTS (SELECT FROM vendor WHERE company_id = ${companyId} AND number = label)
      )
      UPDATE company SET last_vendor_number = free.sequence
      FROM (SELECT sequence, label FROM candidate ORDER BY sequence DESC LIMIT 1) free
      WHERE id = ${companyId}
      RETURNING free.label AS number`);
    return number;
  }

  async insert(
    tx: Tx,
    companyId: string,
    vendor: NewVendorDto,
    named: { readonly number: string; readonly key: string },
  ): Promise<StoredVendorDto> {
    return tx.one(sql`
      INSERT INTO vendor (company_id, number, creation_key, external_id, name, country, registration_number,
        tax_registration_number, payable_account_code, default_currency, is_employee, blocked, archived)
      VALUES (${companyId}, ${named.number}, ${named.key}, ${vendor.externalId ?? null}, ${vendor.name},
        ${vendor.country ?? null}, ${vendor.registrationNumber ?? null}, ${vendor.taxRegistrationNumber ?? null},
        ${vendor.payableAccountCode ?? null}, ${vendor.defaultCurrency ?? null}, ${vendor.isEmployee},
        ${vendor.blocked}, ${vendor.archived})
      RETURNING ${COLUMNS}`);
  }

  async page(tx: Tx, companyId: string, start: PageStart): Promise<readonly StoredVendorDto[]> {
    return tx.rows(sql`
      SELECT ${COLUMNS}
      FROM vendor WHERE company_id = ${companyId} AND number > ${start.after[0]} ORDER BY number LIMIT ${start.rows}`);
  }
}
