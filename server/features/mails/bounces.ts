import { timingSafeEqual } from 'node:crypto'
import { done } from '#contract/schemas.ts'
import type { Needs } from '#server/feature.ts'
import { addAuditEntry } from '#server/platform/audit.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { sameForAll } from '#server/platform/http/endpoints/policy.ts'
import { Refused } from '#server/platform/http/refusal.ts'
import { parseJson } from '#server/platform/http/request/json.ts'
import type { Server } from '#server/platform/http/server.ts'
import { type Bounce, readBounceList, readReport } from './bounce-reports.ts'
import { addBounces } from './queries.ts'

const reports: LimitRule = { name: 'mail-bounces', count: 300, seconds: 60, by: 'address' }
const maxBytes = 128 * 1024

type Deps = Pick<Needs, 'config' | 'database' | 'clock' | 'random' | 'secret'>

/** The address at which a relay reports that mails came back. Without the setting it does not exist. */
export function addBounceReports({ app }: Server, deps: Deps): void {
  const { mailBounceSecret } = deps.config
  if (mailBounceSecret === undefined) return
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      ['application/json', 'message/rfc822'],
      { parseAs: 'buffer', bodyLimit: maxBytes },
      (_request, body, parsed) => parsed(null, body),
    )
    // Before the body is read: a caller who does not know the secret finds nothing here.
    scope.addHook('onRequest', async (request) => {
      const { secret } = request.params as { secret: string }
      if (!isEqual(secret, mailBounceSecret)) throw new Refused('NotFound')
    })
    const config = { policy: sameForAll, limits: [reports], takesForeignRequests: true as const }
    scope.post('/api/mail-bounces/:secret', { config }, async ({ id: requestId, body, headers, log }) => {
      const bounces = readBounces(body as Buffer, headers['content-type']!, deps.secret)
      const personIds = await deps.database.transaction(async (tx) => {
        const added = await addBounces(tx, bounces)
        if (added.length > 0)
          await addAuditEntry(tx, deps, { action: 'mail-bounced', subjectId: added, requestId })
        return added
      })
      log.info({ requestId, reported: bounces.length, ended: personIds.length }, 'mails came back')
      // The same answer whether the addresses are known or not.
      return done
    })
  })
}

function readBounces(body: Buffer, mediaType: string, secret: string): Bounce[] {
  if (mediaType.startsWith('application/json')) return readBounceList(parseJson(body))
  const bounce = readReport(body.toString('utf8'), secret)
  return bounce === undefined ? [] : [bounce]
}

function isEqual(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)]
  return one.length === other.length && timingSafeEqual(one, other)
}
