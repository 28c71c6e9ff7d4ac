import { checks } from '../health.ts'
import { type ContractNames, describeApi } from './openapi.ts'
import type { Platform } from '../platform.ts'
import { sameForAll } from './policy.ts'
import type { Server } from '../server.ts'

/** `/openapi.json`. The description is made at the first request, when all routes are mounted. */
export function addDescription({ app }: Server, { config }: Platform, names: ContractNames) {
  const options = { config: { policy: sameForAll, alwaysAnswers: true, reads: checks } } as const
  let description: object | undefined
  app.get('/openapi.json', options, async () => (description ??= describeApi(app.mounted, config, names)))
}
