import type { Config } from '#server/config.ts'
import { sendPrepared } from '#server/platform/http/endpoints/mount.ts'
import { sameForAll } from '#server/platform/http/endpoints/policy.ts'
import { Prepared } from '#server/platform/http/answers/prepared.ts'
import { publicAddress } from '#server/platform/http/public-address.ts'
import type { Server } from '#server/platform/http/server.ts'

const route = { config: { policy: sameForAll, answersFromMemory: true } } as const

/** Serves the file that tells search engines what they may read. */
export function addRobots({ app }: Server, config: Config) {
  const rules = config.searchEngines
    ? ['User-agent: *', 'Disallow: /api/', '', `Sitemap: ${publicAddress(config, '/sitemap.xml')}`]
    : ['User-agent: *', 'Disallow: /']
  const prepared = new Prepared(`${rules.join('\n')}\n`)
  app.get('/robots.txt', route, (request, reply) => {
    reply.header('cache-control', 'public, no-cache').header('content-type', 'text/plain; charset=utf-8')
    return sendPrepared(request, reply, prepared)
  })
}
