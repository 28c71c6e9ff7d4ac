import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { build, type Plugin, type Rolldown } from 'vite'

// Parts of the build for a web app that is installed and opens without a network.

const fileAt = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** With a query that changes with the file: the service worker never gives a page the file of another build. */
export async function themeScript() {
  const code = await readFile(fileAt('web/public/theme.js'))
  return `/theme.js?${hashOf(code)}`
}

const hashOf = (content: string | Buffer) =>
  createHash('sha256').update(content).digest('base64url').slice(0, 8)

/** The icons of the installed app. A maskable one has no round corners: the system cuts it. */
export function drawIcons(): Plugin {
  return {
    name: 'draw-icons',
    apply: 'build',
    async generateBundle() {
      const icon = await readFile(fileAt('web/public/icon.svg'), 'utf8')
      for (const [name, svg, size] of [
        ['icon-192', icon, 192],
        ['icon-512', icon, 512],
        ['icon-maskable-512', icon.replace(/ rx="\d+"/, ''), 512],
      ] as const) {
        const drawn = sharp(Buffer.from(svg), { density: 600 }).resize(size)
        const source = await drawn.png({ palette: true, compressionLevel: 9 }).toBuffer()
        this.emitFile({ type: 'asset', fileName: `${name}.png`, source })
      }
    },
  }
}

/**
 * Builds `web/service-worker/worker.ts` with the list of the files that all pages need without a network: all scripts and styles
 * but those that are left out, and of the fonts only these.
 */
export function buildServiceWorker({ kept, left }: { kept: RegExp; left: RegExp }): Plugin {
  return {
    name: 'build-service-worker',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const page = bundle['index.html']
        if (page?.type !== 'asset') throw new Error('The build has no page for the service worker.')
        const entry = Object.values(bundle).find((file) => file.type === 'chunk' && file.isEntry)!
        const assets = Object.keys(bundle).map((file) => `/${file}`)
        const files = [
          await themeScript(),
          '/icon.svg',
          '/manifest.webmanifest',
          ...assets.filter(
            (file) =>
              file.startsWith('/assets/') && (/\.(js|css)$/.test(file) ? !left.test(file) : kept.test(file)),
          ),
        ]
        const version = hashOf(files.join() + String(page.source))
        const built = { version, entry: `/${entry.fileName}`, files }
        const code = await bundleOf('web/service-worker/worker.ts', { __BUILD__: JSON.stringify(built) })
        this.emitFile({ type: 'asset', fileName: 'sw.js', source: code })
      },
    },
  }
}

/** Builds the page that verifies seals without a network: one file that requests nothing. */
export function buildVerifier(): Plugin {
  return {
    name: 'build-verifier',
    apply: 'build',
    async generateBundle() {
      const code = await bundleOf('web/features/verify/offline.ts', {})
      // A text in the code must not end the script.
      const source = (await readFile(fileAt('web/features/verify/offline.html'), 'utf8')).replace(
        '/* script */',
        () => code.replaceAll('</', '<\\/'),
      )
      this.emitFile({ type: 'asset', fileName: 'zimmer-verify.html', source })
    },
  }
}

/** The code of a file with all that it imports. */
async function bundleOf(path: string, define: Record<string, string>) {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define,
    build: { write: false, rolldownOptions: { input: fileAt(path), output: { format: 'iife' } } },
  })
  return (result as Rolldown.RolldownOutput).output[0].code
}
