import * as z from 'zod/mini'
import { errors } from '#contract/errors.ts'
import { choicesLink, unsubscribePath } from '#contract/away-notifications/path.ts'
import type { Config } from '#server/config.ts'
import { lockPerson } from '#server/features/account/index.ts'
import type { Database } from '#server/platform/database/pool.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { sameForAll } from '#server/platform/http/endpoints/policy.ts'
import type { Server } from '#server/platform/http/server.ts'
import { findChoices, saveChoices } from './choices.ts'
import { findChoicesLink } from './routes.ts'

const calls: LimitRule = { name: 'unsubscribe', count: 120, seconds: 600, by: 'address' }

/**
 * The address of the header List-Unsubscribe. Mail programs send it a POST, without a session and from any address (RFC 8058).
 * A GET changes nothing, because programs that examine mails open their links.
 */
export function addUnsubscribe(
  { app }: Server,
  { config, database }: { config: Config; database: Database },
): void {
  const options = {
    schema: { params: z.object({ token: z.string().check(z.regex(/^[\w-]{1,100}$/)) }) },
    config: { policy: sameForAll, limits: [calls], takesForeignRequests: true as const },
  }
  void app.register(async (scope) => {
    // The body, a form of either kind, says no more than the call itself.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 4096 }, (_request, _body, done) =>
      done(null),
    )
    scope.get(unsubscribePath(':token'), options, (request, reply) => {
      const { token } = request.params as { token: string }
      return reply.header('cache-control', 'no-store').redirect(choicesLink('', token), 303)
    })
    scope.post(unsubscribePath(':token'), options, async (request, reply) => {
      const { token } = request.params as { token: string }
      const isOff = await database.transaction(async (tx) => {
        const link = await findChoicesLink(tx, token)
        if (link === undefined || !(await lockPerson(tx, link.userId))) return false
        const before = await findChoices(tx, link.userId, config.timeZone)
        await saveChoices(tx, link.userId, { before, changes: { byMail: false } })
        return true
      })
      const { status, error } = errors.NoticeLinkNotFound
      reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8')
      return isOff ? reply.send('You get no more mails.\n') : reply.status(status).send(`${error}\n`)
    })
  })
}
