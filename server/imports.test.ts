import { globSync, readFileSync } from 'node:fs'
import { dirname, join, matchesGlob } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

/** What each part may import. Imports inside a part are free. */
export const mayImport: Record<string, string[]> = {
  contract: [],
  'server/platform': ['contract'],
  'server/features/*': [
    'contract',
    // The settings are plain data, read once at the start.
    'server/config.ts',
    'server/domain-events.ts',
    'server/feature.ts',
    'server/platform',
    'server/features/*/index.ts',
  ],
  'web/ui': ['contract'],
  'web/lib': ['contract'],
  'web/service-worker': ['contract'],
  'web/shell': ['contract', 'web/ui', 'web/lib', 'web/features/*/index.{ts,tsx}'],
  'web/features/*': ['contract', 'web/ui', 'web/lib', 'web/features/*/index.{ts,tsx}'],
}

/** These put the parts together: they, and what serves tests, may reach anywhere. */
const composing = [
  'server/*.ts',
  'server/commands/**',
  'web/*.{ts,tsx}',
  '**/*.test.{ts,tsx}',
  '*/testing/**',
  '**/testing.tsx',
]

const root = join(import.meta.dirname, '..')
const files = globSync('{contract,server,web}/**/*.{ts,tsx}', { cwd: root }).toSorted()
const parts = files.filter((file) => !composing.some((pattern) => matchesGlob(file, pattern)))
const imports = new Map(files.map((file) => [file, importsOf(file)]))

test('every file belongs to a part of the map', () => {
  expect(parts.filter((file) => partOf(file) === undefined)).toEqual([])
})

test('every import of our own names a file that is there', () => {
  const known = new Set(files)
  const isCode = (target: string) => /\.tsx?$/.test(target)
  expect(described(files, ({ target }) => isCode(target) && !known.has(target))).toEqual([])
})

test('a part imports only what the table lets it import', () => {
  expect(described(parts, ({ target }, file) => !isAllowed(file, target))).toEqual([])
})

test('the platform names no feature and no call of one', () => {
  const features =
    /\b(calendar|demo|diary|diaries|feed|friends?|passages?|rooms|story|stories)\b|'\/api\/[a-z]/i
  // Browsers report to the platform itself.
  expect(filesWith(features, 'server/platform/')).toEqual(['server/platform/http/headers.ts'])
})

test('the component kit and the library of the page name no feature and no call of one', () => {
  const features =
    /\b(calendar|competitions?|creators?|demo|diary|diaries|feed|friends?|notes|onboarding|passages?|posts|rooms|stories|tips)\b|'\/api\/[a-z]|#contract\/(?!app|live)\w+\//i
  expect([...filesWith(features, 'web/ui/'), ...filesWith(features, 'web/lib/')]).toEqual([])
})

/** These are pure: archives, imports and proofs are the same on the page and on the server. */
const packagesOfFiles: Record<string, string[]> = {
  'contract/archive': ['yaml', '@noble/hashes/sha2', '@noble/hashes/utils'],
  'contract/saving': ['fflate'],
  'contract/rooms/credit': ['fflate', '@noble/curves/ed25519', '@noble/hashes/sha2', '@noble/hashes/utils'],
  'contract/imports': ['@noble/hashes/sha2', '@noble/hashes/utils', 'fflate', 'htmlparser2'],
}

const packagesOf = (file: string) =>
  Object.entries(packagesOfFiles).find(([folder]) => file.startsWith(`${folder}/`))?.[1] ?? []

test('the contract needs nothing but zod, and its formats of files their libraries', () => {
  const contract = parts.filter((file) => file.startsWith('contract/'))
  const foreign = contract.flatMap((file) =>
    readImports(file)
      .map(({ name }) => name)
      .filter((name) => !/^[#.]/.test(name) && name !== 'zod/mini')
      .filter((name) => !packagesOf(file).includes(name))
      .map((name) => `${file} -> ${name}`),
  )
  expect(foreign).toEqual([])
})

test('no file imports itself through other files', () => {
  // What is loaded later, on demand, may know the page that asked for it.
  const now = files.map(
    (file) => [file, imports.get(file)!.flatMap(({ target, isLazy }) => (isLazy ? [] : [target]))] as const,
  )
  expect(circlesIn(new Map(now))).toEqual([])
})

test('no part imports itself through other parts, not even by what is loaded later', () => {
  const graph = new Map<string, string[]>()
  for (const file of parts) {
    const { folder } = partOf(file)!
    const targets = imports.get(file)!.flatMap(({ target }) => partOf(target)?.folder ?? [])
    graph.set(folder, [...(graph.get(folder) ?? []), ...targets.filter((target) => target !== folder)])
  }
  expect(circlesIn(graph)).toEqual([])
})

/** These fetch a file in a way of their own, and go on without it or say themselves that it is missing. */
const fetchingThemselves = [
  'web/features/account/leaving.ts',
  'web/features/messages/use-check-session.ts',
  'web/features/onboarding/OnboardingPage.tsx',
  'web/features/saving/pdf-of.ts',
  'web/features/settings/SettingsPage.tsx',
  'web/features/your-words/use-export.ts',
  'web/lib/app-updates.ts',
  'web/lib/storage.ts',
  'web/main.tsx',
]

test('a file that the page fetches later is a part, which says when its file is missing [R22]', () => {
  const isTest = (file: string) => /\.test\.tsx?$|\/testing(\/|\.tsx$)/.test(file)
  const fetching = files.filter(
    (file) => file.startsWith('web/') && !isTest(file) && fetchesWithoutPart(file),
  )
  expect(fetching).toEqual(fetchingThemselves)
})

/** These functions make a component whose file is fetched when the component is first shown. All of them call `part`. */
const partMakers = ['part', 'nearPart', 'page', 'route', 'tab']

/**
 * Whether a file has an import outside of these calls. A function named `load…` is left out: its callers give it to one of these
 * calls, or go on without the file.
 */
function fetchesWithoutPart(file: string) {
  const { program } = parseSync(file, readFileSync(join(root, file), 'utf8'))
  return hasStrayImport(program)
}

interface SyntaxNode {
  type?: string
  callee?: { name?: string }
  id?: { name?: string }
}

function hasStrayImport(node: SyntaxNode): boolean {
  if (node.type === 'ImportExpression') return true
  if (node.type === 'CallExpression' && partMakers.includes(node.callee?.name ?? '')) return false
  if (node.type === 'VariableDeclarator' && /^load[A-Z]/.test(node.id?.name ?? '')) return false
  return Object.values(node).some(
    (child: unknown) => typeof child === 'object' && child !== null && hasStrayImport(child),
  )
}

const filesWith = (pattern: RegExp, folder: string) =>
  parts.filter((file) => file.startsWith(folder) && pattern.test(readFileSync(join(root, file), 'utf8')))

function described(some: string[], isWrong: (found: Import, file: string) => boolean) {
  return some.flatMap((file) =>
    (imports.get(file) ?? [])
      .filter((found) => isWrong(found, file))
      .map(({ target }) => `${file} -> ${target}`),
  )
}

function isAllowed(file: string, target: string) {
  const part = partOf(file)
  if (part === undefined || target.startsWith(`${part.folder}/`)) return true
  return part.may.some((place) => target.startsWith(`${place}/`) || matchesGlob(target, place))
}

/** The folder a file belongs to, such as server/features/rooms, and what that may import. */
function partOf(file: string) {
  for (const [pattern, may] of Object.entries(mayImport)) {
    const folder = file.split('/').slice(0, pattern.split('/').length).join('/')
    if (folder !== file && matchesGlob(folder, pattern)) return { folder, may }
  }
  return undefined
}

interface Import {
  target: string
  isLazy: boolean
}

function importsOf(file: string): Import[] {
  return readImports(file).flatMap(({ name, isLazy }) => {
    const plain = name.replace(/\?.*$/, '')
    if (plain.startsWith('#')) return [{ target: plain.slice(1), isLazy }]
    if (plain.startsWith('.')) return [{ target: join(dirname(file), plain), isLazy }]
    return []
  })
}

function readImports(file: string) {
  const text = readFileSync(join(root, file), 'utf8')
  const { module } = parseSync(file, text)
  const reexports = module.staticExports.flatMap(({ entries }) => entries.map((entry) => entry.moduleRequest))
  const direct = [...module.staticImports.map((found) => found.moduleRequest), ...reexports]
  const lazy = module.dynamicImports.map(({ moduleRequest: { start, end } }) =>
    text.slice(start + 1, end - 1),
  )
  return [
    ...direct.flatMap((request) => (request ? [{ name: request.value, isLazy: false }] : [])),
    ...lazy.map((name) => ({ name, isLazy: true })),
  ]
}

/** The circles in a graph, each as the names on its way. */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = []
  const done = new Set<string>()
  const walk = (name: string, way: string[]) => {
    const start = way.indexOf(name)
    if (start >= 0) found.push([...way.slice(start), name].join(' -> '))
    if (start >= 0 || done.has(name)) return
    for (const target of graph.get(name) ?? []) walk(target, [...way, name])
    done.add(name)
  }
  for (const name of graph.keys()) walk(name, [])
  return found
}
