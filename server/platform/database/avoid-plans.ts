import { sql } from 'drizzle-orm'
import type { Db } from './pool.ts'

/**
 * Keeps Postgres from plans with such a step until the end of the transaction. Before version 18 Postgres adds a huge cost to a plan
 * that still needs this step, and compiles expensive plans to machine code (JIT). That would take longer than the query.
 */
export async function avoidPlans(tx: Db, step: 'sort' | 'seqscan'): Promise<void> {
  await tx.execute(sql`select set_config(${`enable_${step}`}, 'off', true), set_config('jit', 'off', true)`)
}
