import { Injectable } from '@nestjs/common';
import { sha256 } from '../../foundation/crypto/sha256.js';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import { Bug } from '../../kernel/faults.js';
import type { InstallationId } from '../../kernel/ids.js';
import type { MappingRule } from '../bookkeeping/accounts/rule-index.js';
import type { RulePlan } from './domain/rule-change-set.js';
import { fieldsOf, readRule, type RuleContent, type RuleField } from './domain/rule-fields.js';
import { identityOf } from './domain/rule-identity.js';

interface RuleRow {
  readonly id: number;
  readonly subject: string;
  readonly source_group: string | null;
  readonly source: string;
  readonly item_type: string | null;
  readonly tag_group: string | null;
  readonly tag: string | null;
  readonly target_group: string | null;
  readonly target: string;
}

export interface RuleFilter {
  readonly subject: RuleContent['subject'] | undefined;
  /** Part of a source, target, tag or item type, without regard to case. */
  readonly search: string | undefined;
  /** Number of the last rule of the page before, 0 for the first page. */
  readonly afterId: number;
  readonly limit: number;
}

@Injectable()
export class MappingRuleRepository {
  /** In the order of their numbers. @param ids undefined: all of them */
  async ofVersion(
    tx: Tx,
    installationId: InstallationId,
    version: number,
    ids?: ReadonlySet<string>,
  ): Promise<readonly MappingRule[]> {
    const only = ids === undefined ? sql`` : sql`AND id = ANY(${[...ids].map(Number)}::int[])`;
    const rows = await tx.rows<RuleRow>(sql`
      SELECT id, subject, source_group, source, item_type, tag_group, tag, target_group, target FROM mapping_rule
      WHERE installation_id = ${installationId}
        AND from_version <= ${version} AND (until_version IS NULL OR until_version > ${version}) ${only}
      ORDER BY id`);
    return rows.map(toRule);
  }

  async page(
    tx: Tx,
    installationId: InstallationId,
    version: number,
    { subject, search, afterId, limit }: RuleFilter,
  ): Promise<readonly MappingRule[]> {
    const pattern = search === undefined ? null : `%${search.replace(/[\\%_]/g, '\\$&')}%`;
    const rows = await tx.rows<RuleRow>(sql`
      SELECT id, subject, source_group, source, item_type, tag_group, tag, target_group, target FROM mapping_rule
      WHERE installation_id = ${installationId} AND id > ${afterId}
        AND from_version <= ${version} AND (until_version IS NULL OR until_version > ${version})
        AND (${subject ?? null}::text IS NULL OR subject = ${subject ?? null})
        AND (${pattern}::text IS NULL
          OR concat_ws(E'\n', source_group, source, item_type, tag_group, tag, target_group, target) ILIKE ${pattern})
      ORDER BY id LIMIT ${limit}`);
    return rows.map(toRule);
  }

  async find(tx: Tx, installationId: InstallationId, version: number, id: number): Promise<MappingRule | undefined> {
    const [rule] = await this.page(tx, installationId, version, {
      subject: undefined,
      search: undefined,
      afterId: id - 1,
      limit: 1,
    });
    return rule?.id === id.toString() ? rule : undefined;
  }

  /** What the rules of all versions said, the newest first. */
  async listEarlier(tx: Tx, installationId: InstallationId, limit: number): Promise<readonly RuleContent[]> {
    const rows = await tx.rows<RuleRow>(sql`
      SELECT id, subject, source_group, source, item_type, tag_group, tag, target_group, target FROM mapping_rule
      WHERE installation_id = ${installationId} ORDER BY from_version DESC, id LIMIT ${limit}`);
    return rows.map(toRule);
  }

  /** The first number that no rule of any version has. */
  async nextId(tx: Tx, installationId: InstallationId): Promise<number> {
    const { next } = await tx.one<{ next: number }>(sql`
      SELECT COALESCE(max(id), 0) + 1 AS next FROM mapping_rule WHERE installation_id = ${installationId}`);
    return next;
  }

  /** Ends and begins rules with a version that this transaction has written. */
  async change(tx: Tx, installationId: InstallationId, version: number, plan: RulePlan): Promise<void> {
    const { ended, begun } = plan;
    if (ended.length > 0) {
      const done = await tx.execute(sql`
        UPDATE mapping_rule SET until_version = ${version}
        WHERE installation_id = ${installationId} AND id = ANY(${ended.map(Number)}::int[]) AND until_version IS NULL`);
      if (done !== ended.length) {
        throw new Bug(`${done.toString()} of ${ended.length.toString()} mapping rules were there to be ended`);
      }
    }
    if (begun.length > 0) {
      const fields = begun.map(fieldsOf);
      const column = (field: RuleField) => fields.map((rule) => rule[field] ?? null);
      await tx.execute(sql`
        INSERT INTO mapping_rule (installation_id, from_version, id, subject, source_group, source, item_type, tag_group, tag,
          target_group, target, identity)
        SELECT ${installationId}, ${version}, rule.* FROM unnest(
          ${begun.map(({ id }) => Number(id))}::int[], ${column('subject')}::text[], ${column('sourceGroup')}::text[],
          ${column('source')}::text[], ${column('itemType')}::text[], ${column('tagGroup')}::text[], ${column('tag')}::text[],
          ${column('targetGroup')}::text[], ${column('target')}::text[], ${begun.map(identityHash)}::bytea[]
        ) AS rule`);
    }
  }
}

function identityHash(rule: RuleContent): Buffer {
  return sha256(identityOf(rule));
}

function toRule(row: RuleRow): MappingRule {
  const read = readRule({
    subject: row.subject,
    source: row.source,
    target: row.target,
    ...(row.source_group !== null && { sourceGroup: row.source_group }),
    ...(row.item_type !== null && { itemType: row.item_type }),
    ...(row.tag_group !== null && { tagGroup: row.tag_group }),
    ...(row.tag !== null && { tag: row.tag }),
    ...(row.target_group !== null && { targetGroup: row.target_group }),
  });
  if ('problems' in read) {
    throw new Bug(`mapping rule ${row.id.toString()} is stored in a form that cannot be read`);
  }
  return { ...read.rule, id: row.id.toString() };
}
