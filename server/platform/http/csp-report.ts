import type { LimitRule } from './limits.ts'
import { sameForAll } from './policy.ts'
import type { Server } from './server.ts'

const reports: LimitRule = { name: 'csp-report', count: 60, seconds: 60, by: 'address' }
const mediaTypes = ['application/csp-report', 'application/reports+json']

/** Browsers report violations of the page's policy here; that one came is logged, not what it says (S38). */
export async function addCspReport({ app }: Server) {
  await app.register(async (scope) => {
    scope.addContentTypeParser(
      mediaTypes,
      { parseAs: 'buffer', bodyLimit: 16 * 1024 },
      (_request, _body, done) => done(null),
    )
    scope.post(
      '/api/csp-report',
      { schema: { hide: true }, config: { policy: sameForAll, limits: [reports] } },
      async (request, reply) => {
        request.log.warn(
          { requestId: request.id },
          'a browser reported a violation of the content security policy',
        )
        return reply.status(204).send()
      },
    )
  })
}
