import type { LimitRule } from './bounds/limits.ts'
import { createEntryCounter } from '../entry-counter.ts'
import { cspReportPath } from './headers.ts'
import { clientAddress } from './request/origin.ts'
import { sameForAll } from './endpoints/policy.ts'
import type { Server } from './server.ts'

const reports: LimitRule = { name: 'csp-report', count: 60, seconds: 60, by: 'address' }
const mediaTypes = ['application/csp-report', 'application/reports+json']

/**
 * Adds the route to which browsers report violations of the content security policy. The log counts the reports by address
 * and minute, and does not contain their text (S38, S52).
 */
export async function addCspReport({ app }: Server) {
  const violations = createEntryCounter<{ requestId: string }>(async (counted) => {
    for (const entry of counted)
      app.log.warn(entry, 'a browser reported a violation of the content security policy')
  })
  violations.writeEveryMinute(app, 'log of policy violations')
  await app.register(async (scope) => {
    scope.addContentTypeParser(
      mediaTypes,
      { parseAs: 'buffer', bodyLimit: 16 * 1024 },
      (_request, _body, done) => done(null),
    )
    scope.post(
      cspReportPath,
      {
        config: { policy: sameForAll, limits: [reports], takesForeignRequests: true },
      },
      async (request, reply) => {
        await violations.add(clientAddress(request.ip), '', { requestId: request.id })
        return reply.status(204).send()
      },
    )
  })
}
