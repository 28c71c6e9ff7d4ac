import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import babel from '@rolldown/plugin-babel'
import tailwindcss from '@tailwindcss/vite'
import react, { reactCompilerPreset } from '@vitejs/plugin-react'
import subsetFont from 'subset-font'
import { defineConfig, minify, type Plugin, type ResolvedConfig } from 'vite'
import { buildServiceWorker, buildVerifier, drawIcons, themeScript } from './scripts/build-installed.ts'
import {
  isAccount,
  isCommon,
  isDialog,
  isEditor,
  isForm,
  isMenu,
  isOfCreators,
  isOfDrafts,
  isOfFeed,
  isOfFirstPage,
  isOfLists,
  isOfPostTools,
  isOfRows,
  isOfSaving,
  isOfSettings,
  isOfTalk,
  isOfWords,
  isShared,
  isSignedIn,
} from './scripts/build-groups.ts'

const server = 'http://127.0.0.1:3000'

const fileAt = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export const alias = {
  'react-style-singleton': fileAt('web/lib/style-singleton.ts'),
  '../createLucideIcon.mjs': fileAt('web/ui/lucide-icon.ts'),
  './mutationCache.js': fileAt('web/lib/mutation-cache.ts'),
  // React has this hook itself; the shim is for versions before 18.
  'use-sync-external-store/shim/index.js': 'react',
}

export const compiler = () =>
  babel({ presets: [reactCompilerPreset({ sources: (file) => !isOfFirstPage(file) })] })

/** What `typeof` answers in every browser that we support, and on a page without the developer tools of React. */
const globals: Record<string, string> = {
  AbortController: 'function',
  MessageChannel: 'function',
  queueMicrotask: 'function',
  reportError: 'function',
  process: 'undefined',
  __REACT_DEVTOOLS_GLOBAL_HOOK__: 'undefined',
}

const latinFonts = /(literata|inter)-latin-wght-/
const latinFontsOfText = /(literata|inter)-latin-wght-normal-/
const weights = { min: 400, max: 700 }
const firstFiles = /\/(index|rolldown-runtime)-/
const unnamedParts =
  /\/(OnboardingPage|ArticlePage|signed-in|only-copies|DetailDialog|ShortcutList|AccountMenu|AccountSheet|MenuSheet|InstanceLinks|AnnouncementBar|AdminEntries|app-status|VerifyPage)-/

export default defineConfig({
  publicDir: 'web/public',
  plugins: [
    react(),
    compiler(),
    tailwindcss(),
    dropSchemas(),
    dropFallbacksOfReact(),
    dropKeysOfIcons(),
    narrowFonts(latinFonts),
    preloadFonts(latinFontsOfText),
    nameFirstPages({
      feed: ['FeedPage'],
      article: ['ArticlePage'],
      onboarding: ['OnboardingPage'],
      other: ['other-pages'],
      // A page of a person with an account is named by its path.
      diary: ['other-pages', 'DiaryPage'],
      calendar: ['other-pages', 'CalendarPage'],
      messages: ['other-pages', 'MessagesPage'],
      write: ['other-pages', 'WritePage'],
      settings: ['other-pages', 'SettingsPage'],
      admin: ['other-pages', 'AdminPage'],
    }),
    minifyPublicScripts(),
    drawIcons(),
    buildVerifier(),
    buildServiceWorker({
      kept: latinFontsOfText,
      // Large and rarely used: the library of PDF files, and the readers and writers of archives.
      left: /\/(pdf-worker|import-worker|export-archive)-/,
    }),
    precompress(/\.(js|css|svg|json|txt|webmanifest)$/),
    keepLastBuild(),
  ],
  resolve: { alias },
  worker: { plugins: () => [dropSchemas()] },
  // As code the samples of the page are smaller than as a text that `JSON.parse` reads.
  json: { stringify: false },
  build: {
    outDir: 'dist/web',
    // A server that runs meanwhile still serves the build before.
    emptyOutDir: false,
    // The page's policy allows neither data: scripts nor data: fonts.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // The scripts name the files that a part imports, so that they are fetched beside the part. Not so for pages whose
      // files `/theme.js` requests, and for parts that draw nothing a person waits for or
      // are opened rarely. Every page has the first file already.
      resolveDependencies: (part, files) =>
        unnamedParts.test(part) ? [] : files.filter((file) => !firstFiles.test(file)),
    },
    reportCompressedSize: false,
    // What the first paint needs is one file: smaller in all than many, and one request.
    rolldownOptions: {
      output: {
        // Vite takes the hash before the weights are narrowed, so the name says the weights too.
        assetFileNames: ({ names: [name = ''] }) =>
          latinFonts.test(name)
            ? `assets/[name]-${weights.min}-${weights.max}-[hash][extname]`
            : 'assets/[name]-[hash][extname]',
        codeSplitting: {
          // Some of these files import schemas that the first page does not use.
          includeDependenciesRecursively: false,
          // A module belongs to the first group that matches it. Two groups must not import each other.
          groups: [
            { name: 'initial', tags: ['$initial'] },
            { name: 'FeedPage', test: isOfFeed },
            { name: 'shared', test: isShared },
            { name: 'form', test: isForm },
            { name: 'menu', test: isMenu },
            { name: 'dialog', test: isDialog },
            { name: 'editor', test: isEditor },
            { name: 'drafts', test: isOfDrafts },
            { name: 'account', test: isAccount },
            { name: 'signed-in', test: isSignedIn },
            { name: 'post-tools', test: isOfPostTools },
            { name: 'rows', test: isOfRows },
            { name: 'creators', test: isOfCreators },
            { name: 'lists', test: isOfLists },
            { name: 'talk', test: isOfTalk },
            { name: 'settings', test: isOfSettings },
            { name: 'saving', test: isOfSaving },
            { name: 'words', test: isOfWords },
            { name: 'common', test: isCommon, minShareCount: 2, maxModuleSize: 2_000 },
          ],
        },
      },
      // A feature's index offers more than the first paint needs: what is unused there stays out of the first file.
      treeshake: {
        moduleSideEffects: [{ test: /\/(web|contract)\/.*\.tsx?$/, sideEffects: false }],
        // A schema that is not used leaves nothing behind.
        manualPureFunctions: ['z'],
        // No code of the page reads a property only for what a getter does.
        propertyReadSideEffects: false,
      },
    },
  },
  server: {
    proxy: { '/api': server, '/uploads': server, '/health': server, '/openapi.json': server },
    // The served page's policy, loosened only where the dev server injects scripts and styles of its own.
    headers: {
      'Content-Security-Policy':
        "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self' ws:; manifest-src 'self'; worker-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types zimmer",
    },
  },
})

/**
 * Drops the schemas of endpoints: pages use only the method and the path, and the first page needs no zod. All endpoints
 * stand in files with the name `endpoints.ts`. A form that checks its input imports the schema from another file of the
 * contract.
 */
export function dropSchemas(): Plugin {
  return {
    name: 'drop-schemas',
    load: {
      filter: { id: /\/contract\/.+\/endpoints\.ts$/ },
      async handler(id) {
        // The query makes Node read a file that has changed again.
        const exported = (await import(`${pathToFileURL(id).href}?${Date.now()}`)) as Record<string, unknown>
        return Object.entries(exported)
          .filter(([, value]) => typeof value === 'number' || Object.hasOwn(value as object, 'path'))
          .map(
            ([name, value]) =>
              `export const ${name} = ${JSON.stringify(value, ['method', 'path', 'status', 'file', 'field'])}\n`,
          )
          .join('')
      },
    },
  }
}

/** Drops the code of React for other browsers and for its developer tools: 1 KB of the first page. */
export function dropFallbacksOfReact(): Plugin {
  const asked = new RegExp(`typeof (${Object.keys(globals).join('|')})\\b(?!\\.)`, 'g')
  return {
    name: 'drop-fallbacks-of-react',
    apply: 'build',
    transform: {
      filter: { id: /\/node_modules\/(react|react-dom|scheduler)\/cjs\// },
      handler: (code) => ({
        code: code.replace(asked, (_, name: string) => `'${globals[name]}'`),
        map: null,
      }),
    },
  }
}

/**
 * The keys of the parts of an icon are random letters, which do not compress: 0.3 KB of the first file, and up to 0.8 KB of a
 * page. `web/ui/lucide-icon.ts` needs none.
 */
function dropKeysOfIcons(): Plugin {
  return {
    name: 'drop-keys-of-icons',
    apply: 'build',
    transform: {
      filter: { id: /\/lucide-react\/dist\/esm\/icons\// },
      handler: (code) => ({ code: code.replace(/,\s*key: "[a-z0-9]+"/g, ''), map: null }),
    },
  }
}

/** Leaves out of fonts what no page shows: the weights below and above ours, and all features but these. */
function narrowFonts(names: RegExp): Plugin {
  return {
    name: 'narrow-fonts',
    apply: 'build',
    async generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'asset' || !names.test(file.fileName)) continue
        file.source = await subsetFont(Buffer.from(file.source as Uint8Array), undefined, {
          keepAllGlyphs: true,
          targetFormat: 'woff2',
          keepFeatures: ['calt', 'ccmp', 'kern', 'liga', 'locl', 'mark', 'mkmk', 'rlig', 'tnum'],
          variationAxes: { wght: weights },
        })
      }
    },
  }
}

/** Fonts that the first paint needs are asked for before the stylesheet that names them has arrived. */
function preloadFonts(names: RegExp): Plugin {
  return {
    name: 'preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => names.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: true },
            injectTo: 'head-prepend',
          })),
    },
  }
}

/**
 * Tells `/theme.js` the entry script and the files of the pages of which one is shown first, in data attributes of its own
 * element.
 */
function nameFirstPages(pages: Record<string, readonly string[]>): Plugin {
  return {
    name: 'name-first-pages',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: async (html, { bundle = {} }) => {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        const first = chunks.find(({ isEntry }) => isEntry)!.fileName
        const filesOf = (fileName: string, found: Set<string>) => {
          if (found.has(fileName)) return
          found.add(fileName)
          for (const file of chunks.find((chunk) => chunk.fileName === fileName)!.imports)
            filesOf(file, found)
        }
        const attributes = Object.entries(pages).map(([page, names]) => {
          const found = new Set([first])
          for (const name of names) filesOf(chunks.find((chunk) => chunk.name === name)!.fileName, found)
          const files = [...found].slice(1).map((file) => `/${file}`)
          return `data-${page}="${files.join(' ')}"`
        })
        return html
          .replace(/ *<link rel="modulepreload"[^>]*>\n/g, '')
          .replace(
            '<script src="/theme.js">',
            `<script src="${await themeScript()}" data-entry="/${first}" ${attributes.join(' ')}>`,
          )
      },
    },
  }
}

/** Vite copies the scripts of the public folder as they are, comments included: these take their place. */
function minifyPublicScripts(): Plugin {
  let config: ResolvedConfig
  return {
    name: 'minify-public-scripts',
    apply: 'build',
    configResolved: (resolved) => void (config = resolved),
    async generateBundle() {
      const names = (await readdir(config.publicDir)).filter((name) => name.endsWith('.js'))
      for (const fileName of names) {
        const { code } = await minify(fileName, await readFile(join(config.publicDir, fileName), 'utf8'))
        this.emitFile({ type: 'asset', fileName, source: code })
      }
    },
  }
}

/** Writes `.br` and `.gz` beside each text file, so that the server never compresses one twice. */
export function precompress(names: RegExp): Plugin {
  let config: ResolvedConfig
  return {
    name: 'precompress',
    apply: 'build',
    configResolved: (resolved) => void (config = resolved),
    writeBundle: async (_options, bundle) => {
      const files = (await filesOf(config, bundle)).filter((file) => names.test(file))
      await Promise.all(files.map((file) => compress(join(folderOf(config), file))))
    },
  }
}

async function compress(file: string) {
  const plain = await readFile(file)
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: plain.length } }),
    promisify(gzip)(plain, { level: 9 }),
  ])
  for (const [name, bytes] of [
    [`${file}.br`, br],
    [`${file}.gz`, gz],
  ] as const)
    await (bytes.length < plain.length ? writeFile(name, bytes) : rm(name, { force: true }))
}

/**
 * Keeps the assets of the build before this one, so that a page that was opened before an update still gets its parts
 * (S55). Their names have hashes, so that those of two builds stand in one folder. Everything older is removed.
 */
export function keepLastBuild(): Plugin {
  const listName = '.assets.json'
  let config: ResolvedConfig
  return {
    name: 'keep-last-build',
    apply: 'build',
    configResolved: (resolved) => void (config = resolved),
    writeBundle: async (_options, bundle) => {
      const folder = folderOf(config)
      const current = await filesOf(config, bundle)
      const found = (await readdir(folder, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
      const list = found.includes(listName)
        ? (JSON.parse(await readFile(join(folder, listName), 'utf8')) as {
            current: string[]
            last: string[]
          })
        : { current: found.filter((file) => !current.includes(file)), last: [] }
      const isSame = current.every((file) => list.current.includes(file))
      const last = (isSame ? list.last : list.current).filter((file) => file.startsWith('assets/'))
      const kept = new Set([listName, ...current, ...last])
      await writeFile(join(folder, listName), JSON.stringify({ current, last }))
      await Promise.all(
        found
          .filter((file) => !kept.has(file.replace(/\.(br|gz)$/, '')))
          .map((file) => rm(join(folder, file))),
      )
    },
  }
}

const folderOf = ({ root, build }: ResolvedConfig) => join(root, build.outDir)

/** What this build has written: its bundle, and the files that are copied as they are. */
async function filesOf({ publicDir }: ResolvedConfig, bundle: object) {
  return [...Object.keys(bundle), ...(await readdir(publicDir))]
}
