import type { Config } from '#server/config.ts'
import type { Instance } from '#server/features/instance/index.ts'
import { sendPrepared } from '#server/platform/http/endpoints/mount.ts'
import { sameForAll } from '#server/platform/http/endpoints/policy.ts'
import { Prepared } from '#server/platform/http/answers/prepared.ts'
import { publicAddress } from '#server/platform/http/public-address.ts'
import type { Server } from '#server/platform/http/server.ts'
/**
 * The names by which crawlers that collect texts to train models read `robots.txt`. Crawlers of search engines and of link
 * previews are none of them, nor are programs that fetch a page because a person asks for it.
 */
import trainingCrawlers from './training-crawlers.json' with { type: 'json' }

const route = { config: { policy: sameForAll, answersFromMemory: true } } as const

/** Serves the files that tell search engines, and crawlers that train models, what they may read. */
export function addRobots({ app }: Server, config: Config, instance: Pick<Instance, 'settings'>) {
  const refused = [...trainingCrawlers.map((name) => `User-agent: ${name}`), 'Disallow: /', '']
  const rulesWith = (rules: readonly string[]) =>
    config.searchEngines
      ? [
          'User-agent: *',
          'Disallow: /api/',
          '',
          ...rules,
          `Sitemap: ${publicAddress(config, '/sitemap.xml')}`,
        ]
      : ['User-agent: *', 'Disallow: /']
  const add = (
    path: string,
    type: string,
    { refusing, allowing }: Record<'refusing' | 'allowing', string>,
  ) => {
    const [whenRefusing, whenAllowing] = [new Prepared(refusing), new Prepared(allowing)]
    app.get(path, route, (request, reply) => {
      reply.header('cache-control', 'public, no-cache').header('content-type', type)
      return sendPrepared(request, reply, instance.settings().modelTraining ? whenAllowing : whenRefusing)
    })
  }
  add('/robots.txt', 'text/plain; charset=utf-8', {
    refusing: `${rulesWith(refused).join('\n')}\n`,
    allowing: `${rulesWith([]).join('\n')}\n`,
  })
  // The TDM Reservation Protocol of the W3C, for all addresses of the instance.
  add('/.well-known/tdmrep.json', 'application/json; charset=utf-8', {
    refusing: JSON.stringify([{ location: '/', 'tdm-reservation': 1 }]),
    allowing: JSON.stringify([{ location: '/', 'tdm-reservation': 0 }]),
  })
}
