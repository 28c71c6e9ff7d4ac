import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { type Instance, siteNameOf } from './features/instance/index.ts'
import { fileReads } from './platform/http/answers/send-file.ts'
import { pageHeaders } from './platform/http/headers.ts'
import { sameForAll } from './platform/http/endpoints/policy.ts'

const route = { config: { policy: sameForAll, reads: fileReads, answersFromMemory: true } } as const
const file = 'manifest.webmanifest'

/** Serves the manifest of the web app, with the name of the instance where an admin has set one. */
export function addManifest(app: FastifyInstance, instance: Instance, folder: string) {
  const path = join(folder, file)
  const built = existsSync(path) ? readFileSync(path, 'utf8') : '{}'
  app.get(`/${file}`, route, (_request, reply) => {
    const { name, description } = instance.settings()
    if (name === '' && description === '') return reply.sendFile(file)
    const manifest = JSON.parse(built) as { description: string }
    reply.headers(pageHeaders).header('cache-control', 'public, no-cache')
    return reply.header('content-type', 'application/manifest+json').send(
      JSON.stringify({
        ...manifest,
        name: siteNameOf(instance.settings()),
        short_name: siteNameOf(instance.settings()),
        description: description || manifest.description,
      }),
    )
  })
}
