import type { FastifyBaseLogger } from 'fastify'
import type { Feature } from '#server/feature.ts'
import { ifAvailable } from '#server/platform/database/unavailable.ts'
import type { Db } from '#server/platform/database/pool.ts'
import type { FactorAllowances } from '#server/platform/http/bounds/factor-allowances.ts'
import { schedule } from '#server/platform/schedule.ts'
import { listHolding, purgeAllowances } from './queries.ts'
import { allowanceRoutes } from './routes.ts'

export interface Deps {
  database: Db
  allowances: FactorAllowances
}

/** Another process may have added or ended an allowance. */
const everyMs = 1000

export const feature = {
  purges: { allowances: ({ database }, signal) => purgeAllowances(database, signal) },
  start({ database, allowances }: Deps) {
    const follow = async (log: FastifyBaseLogger) => allowances.set(await listHolding(database), log)
    return {
      routes: allowanceRoutes(follow),
      serve: ({ app }) =>
        schedule(app, 'reading the allowances', everyMs, () => ifAvailable(() => follow(app.log))),
    }
  },
} satisfies Feature
