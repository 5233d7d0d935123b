// The plan of an intent, for statements of tests: it stands in a row of its own, with those of its chunk.

/** An expression over `posting_intent`. */
export const PLAN_OF_INTENT = `(SELECT plans::jsonb -> accounting_entry_id::text FROM connector.plan_chunk chunk
  WHERE chunk.installation_id = posting_intent.installation_id AND chunk.id = plan_chunk_id)`;

/**
 * Changes a plan as no code does.
 * @param changed what becomes of it: an expression over `plan`
 * @returns a statement whose parameter is the accounting entry
 */
export function changePlan(changed: string): string {
  return `UPDATE connector.plan_chunk SET plans = jsonb_set(plans::jsonb, ARRAY[$1::text], ${changed.replaceAll(/\bplan\b/g, '(plans::jsonb -> $1::text)')})
    WHERE plans::jsonb ? $1::text`;
}

/**
 * Begins a statement that inserts an intent with a plan: `chunk (id)` is the row of the plan.
 * @param values of installation, job, accounting entry and plan, as they stand in the statement
 */
export function withPlan(installation: string, job: string, entry: string, plan: string): string {
  const named = (path: string) =>
    `ARRAY(SELECT DISTINCT id #>> '{}' FROM jsonb_path_query(${plan}::jsonb, '${path}') AS named (id))`;
  return `WITH chunk AS (INSERT INTO connector.plan_chunk (installation_id, export_job_id, id, plans, vendor_ids, rule_ids)
    VALUES (${installation}, ${job}::uuid, gen_random_uuid(), jsonb_build_object(${entry}::uuid, ${plan}::jsonb),
      ${named('$[*].lines[*].vendor.id')}, ${named('$.**.decision ? (@.by == "rule").ruleId')}) RETURNING id)`;
}
