import type { LimitRule } from './bounds/limits.ts'
import { createTally } from '../tally.ts'
import { cspReportPath } from './headers.ts'
import { clientAddress } from './request/origin.ts'
import { sameForAll } from './endpoints/policy.ts'
import type { Server } from './server.ts'

const reports: LimitRule = { name: 'csp-report', count: 60, seconds: 60, by: 'address' }
const mediaTypes = ['application/csp-report', 'application/reports+json']

/**
 * Browsers report violations of the page's policy here. The log says that reports came, those of one address and
 * minute together, and not what they say (S38, S52).
 */
export async function addCspReport({ app }: Server) {
  const tally = createTally<{ requestId: string }>(async (counted) => {
    for (const entry of counted)
      app.log.warn(entry, 'a browser reported a violation of the content security policy')
  })
  tally.keepOn(app, 'log of policy violations')
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
        await tally.add(clientAddress(request.ip), '', { requestId: request.id })
        return reply.status(204).send()
      },
    )
  })
}
