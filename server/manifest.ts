import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { accents } from '#contract/instance/accents.ts'
import { instanceDefaults } from '#contract/instance/settings.ts'
import { type Instance, siteNameOf } from './features/instance/index.ts'
import { iconAddress } from './icons.ts'
import { fileReads } from './platform/http/answers/send-file.ts'
import { pageHeaders } from './platform/http/headers.ts'
import { sameForAll } from './platform/http/endpoints/policy.ts'

const route = { config: { policy: sameForAll, reads: fileReads, answersFromMemory: true } } as const
const file = 'manifest.webmanifest'
/** The settings that the manifest shows. */
const shown = ['name', 'description', 'accent', 'icon'] as const

/** Serves the manifest of the web app, with the name and the look of the instance where an admin has set them. */
export function addManifest(app: FastifyInstance, instance: Instance, folder: string) {
  const path = join(folder, file)
  const built = existsSync(path) ? readFileSync(path, 'utf8') : '{}'
  app.get(`/${file}`, route, (_request, reply) => {
    const settings = instance.settings()
    const { description, accent } = settings
    if (shown.every((name) => settings[name] === instanceDefaults[name])) return reply.sendFile(file)
    // The icons of the shortcuts, too.
    const manifest = JSON.parse(
      built.replaceAll(/\/(icon[\w.-]+)/g, (_address, icon: string) => `/${iconAddress(icon, settings)}`),
    ) as { description: string; theme_color: string }
    reply.headers(pageHeaders).header('cache-control', 'public, no-cache')
    return reply.header('content-type', 'application/manifest+json').send(
      JSON.stringify({
        ...manifest,
        name: siteNameOf(settings),
        short_name: siteNameOf(settings),
        description: description || manifest.description,
        theme_color: accent === instanceDefaults.accent ? manifest.theme_color : accents[accent].day.lamp,
      }),
    )
  })
}
