import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { asVisitor, expect, test } from './test.ts'
import { weightOf } from './weight.ts'

const built = join(import.meta.dirname, '../dist/web')
const settings = readFileSync(join(import.meta.dirname, '../server/config.ts'), 'utf8')

/** The names of the settings of the server, which no page needs. */
const settingNames = [...settings.matchAll(/'([A-Z]+_[A-Z_]+)'/g)].map(([, name]) => name!)

const secrets: [what: string, pattern: RegExp][] = [
  ['a source map', /sourceMappingURL=/],
  ['a path of the machine that built it', /(?<![\w.])\/(home|root|Users|work|tmp)\/\w/],
  ['a setting of the server', new RegExp(`\\b(${settingNames.join('|')})\\b`)],
  ['the environment', /process\.env|import\.meta\.env/],
  ['a key', /-----BEGIN|\bAKIA[0-9A-Z]{16}\b|\bgh[pousr]_\w{30}|\bsk-\w{20}|\bxox[bp]-\w{10}/],
  ['an address with a password', /[a-z]+:\/\/[^\s/:@'"`]+:[^\s/:@'"`]+@/],
  ['a digest of a password', /\$argon2/],
  ['a test', /\bvitest\b|@playwright|fast-check/],
]

const heldBy = (text: string) => secrets.filter(([, pattern]) => pattern.test(text)).map(([what]) => what)

test('the built page holds no secret, no source map, no path of a machine and no test [S50]', () => {
  expect(settingNames).toContain('DIARY_KEY')
  const files = readdirSync(built, { recursive: true, withFileTypes: true }).filter(
    // The list of files of the previous build: no route serves it.
    (each) => each.isFile() && each.name !== '.assets.json',
  )
  expect(files.length).toBeGreaterThan(50)
  const named = files.filter(({ name }) => /^\.|\.map\b|\.(tsx?|env|pem|key)$|\.test\b|\.e2e\b/.test(name))
  expect(named.map(({ name }) => name)).toEqual([])
  const texts = files.filter(({ name }) => /\.(js|css|html|svg|json|txt|webmanifest)$/.test(name))
  const found = texts.flatMap(({ parentPath, name }) =>
    heldBy(readFileSync(join(parentPath, name), 'utf8')).map((what) => `${name} holds ${what}`),
  )
  expect(found).toEqual([])
})

test('the search finds a secret that was put into a file', () => {
  expect(heldBy('const key = "DIARY_KEY"; //# sourceMappingURL=a.js.map')).toEqual([
    'a source map',
    'a setting of the server',
  ])
  expect(heldBy('at /home/ana/zimmer/web/main.tsx')).toEqual(['a path of the machine that built it'])
  expect(heldBy('postgres://zimmer:secret@localhost/zimmer')).toEqual(['an address with a password'])
})

test('a violation of the content security policy makes a journey fail [S38]', async ({
  page,
  complaints,
  forgive,
}) => {
  await page.goto('/')
  await page.evaluate(() => {
    document.body.append(
      Object.assign(document.createElement('img'), { src: 'https://elsewhere.example/a.png' }),
    )
  })
  const isViolation = /^securitypolicyviolation: img-src https:\/\/elsewhere\.example/
  await expect.poll(() => complaints.seen.find((text) => isViolation.test(text))).toBeDefined()
  forgive(/elsewhere\.example/)
})

test('an address becomes no worker and no script of a page, and a text no HTML, without the policy of the page [S38]', async ({
  page,
  forgive,
}) => {
  forgive(
    /^securitypolicyviolation: (require-)?trusted-types|'Trusted(HTML|ScriptURL)' assignment|TrustedTypePolicy/,
  )
  await page.goto('/')
  const refusals = await page.evaluate(() => {
    const factory = (globalThis as unknown as { trustedTypes: { createPolicy: (name: string) => unknown } })
      .trustedTypes
    const attempts = {
      'a worker': () => new Worker('/theme.js'),
      'a foreign worker': () => new Worker('https://elsewhere.example/a.js'),
      'a shared worker': () => new SharedWorker('/theme.js'),
      'a script': () => Object.assign(document.createElement('script'), { src: '/theme.js' }),
      HTML: () => Object.assign(document.createElement('p'), { innerHTML: '<b>bold</b>' }),
      'another policy': () => factory.createPolicy('another'),
    }
    return Object.entries(attempts).map(([what, attempt]) => {
      try {
        attempt()
        return `${what} is allowed`
      } catch (error) {
        return `${what}: ${(error as Error).name}`
      }
    })
  })
  expect(refusals).toEqual([
    'a worker: TypeError',
    'a foreign worker: TypeError',
    'a shared worker: TypeError',
    'a script: TypeError',
    'HTML: TypeError',
    'another policy: TypeError',
  ])
})

const mostFirstJavaScript = 110_000

test('the feed and the onboarding load at most 110 KB of JavaScript for a visitor, and no library of schemas, which only forms need', async ({
  page,
  app,
}) => {
  const isOfSchemas = (name: string) =>
    readFileSync(join(built, 'assets', name), 'utf8').includes('invalid_type')
  const withSchemas = readdirSync(join(built, 'assets')).filter(
    (name) => name.endsWith('.js') && isOfSchemas(name),
  )
  expect(withSchemas).not.toEqual([])
  // Enough text that the rows below the posts, which load more, are not near.
  for (let n = 0; n < 12; n++) await app.publish({ content: `Post ${n}\n\n${'A line.\n'.repeat(12)}` })
  const requested = new Set<string>()
  page.on('request', (request) => requested.add(new URL(request.url()).pathname))
  const scriptsOf = async (path: string) => {
    requested.clear()
    await page.goto(path, { waitUntil: 'networkidle' })
    return [...requested].filter((name) => name.endsWith('.js'))
  }
  const onboarding = await scriptsOf('/')
  await asVisitor(page)
  const feed = await scriptsOf('/dashboard')
  for (const scripts of [onboarding, feed]) {
    expect(scripts.length).toBeGreaterThan(2)
    expect(weightOf(scripts)).toBeLessThanOrEqual(mostFirstJavaScript)
    expect(scripts.filter((path) => withSchemas.some((name) => path.endsWith(name)))).toEqual([])
  }
})
