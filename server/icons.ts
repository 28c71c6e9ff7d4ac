import type { FastifyInstance } from 'fastify'
import { instanceDefaults, type InstanceSettings } from '#contract/instance/settings.ts'
import { iconOf } from '#contract/instance/icons.ts'
import type { Instance } from './features/instance/index.ts'
import type { AnswerCache } from './platform/http/answers/answer-cache.ts'
import { Prepared } from './platform/http/answers/prepared.ts'
import { fileReads } from './platform/http/answers/send-file.ts'
import { sendPrepared } from './platform/http/endpoints/mount.ts'
import { sameForAll } from './platform/http/endpoints/policy.ts'
import { pageHeaders } from './platform/http/headers.ts'

type Look = Pick<InstanceSettings, 'accent' | 'icon'>

/** The files of the icon. The build makes those of the default. */
export const iconFiles: Record<string, { size?: number; isMaskable?: boolean }> = {
  'icon.svg': {},
  'icon-192.png': { size: 192 },
  'icon-512.png': { size: 512 },
  'icon-maskable-512.png': { size: 512, isMaskable: true },
}

const route = { config: { policy: sameForAll, reads: fileReads, answersFromMemory: true } } as const
const isDefault = ({ accent, icon }: Look) =>
  accent === instanceDefaults.accent && icon === instanceDefaults.icon

/** The address of an icon in pages and in the manifest. It changes with the choice, because browsers keep icons for long. */
export const iconAddress = (file: string, look: Look): string =>
  isDefault(look) ? file : `${file}?${look.icon}-${look.accent}`

/** Serves the icon that admins have chosen, in the accent colour. Each file is drawn once after a change. */
export function addIcons(app: FastifyInstance, instance: Instance, answers: AnswerCache) {
  const drawn = answers.of('icon', { maxAgeMs: Infinity })
  for (const file of Object.keys(iconFiles))
    app.get(`/${file}`, route, async (request, reply) => {
      const look = instance.settings()
      if (isDefault(look)) return reply.sendFile(file)
      const version = `${look.icon} ${look.accent}`
      const { prepared } = await drawn.get(file, version, async () => ({
        prepared: new Prepared(await drawIcon(file, look)),
      }))
      reply.headers({ ...pageHeaders, 'cache-control': 'public, no-cache' })
      reply.header('content-type', file.endsWith('.svg') ? 'image/svg+xml' : 'image/png')
      return sendPrepared(request, reply, prepared)
    })
}

async function drawIcon(file: string, { icon, accent }: Look): Promise<string | Buffer> {
  const { size, isMaskable } = iconFiles[file]!
  const svg = iconOf(icon, accent, { isMaskable })
  if (size === undefined) return svg
  const { default: sharp } = await import('sharp')
  const drawn = sharp(Buffer.from(svg), { density: 600 }).resize(size)
  return drawn.png({ palette: true, compressionLevel: 9 }).toBuffer()
}
