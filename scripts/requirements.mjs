// Lists the rows of docs/requirements.md that no test title names. Fails when a title or a comment cites a row, or a rule
// of docs/security.md, that does not exist.
// npm run requirements            one line for each part
// npm run requirements -- --part SHELL   the rows of one part that still wait for a test
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const root = join(import.meta.dirname, '..')
const read = (file) => readFileSync(join(root, file), 'utf8')

const { values } = parseArgs({ options: { part: { type: 'string' } } })

const rows = [...read('docs/requirements.md').matchAll(/^- \*\*(([A-Z]+)-\d+)\*\* (.*)$/gm)].map(
  ([, id, part, text]) => ({ id, part, text }),
)
const tested = idsInTitles()
const parts = Map.groupBy(rows, ({ part }) => part)
if (values.part !== undefined && !parts.has(values.part)) {
  console.error(`There is no part ${values.part}; the parts are ${[...parts.keys()].join(', ')}.`)
  process.exit(1)
}

for (const [part, ofPart] of parts) {
  if (values.part !== undefined && values.part !== part) continue
  const missing = ofPart.filter(({ id }) => !tested.has(id))
  console.log(`${part.padEnd(8)} ${ofPart.length - missing.length} of ${ofPart.length}`)
  if (values.part === part) for (const { id, text } of missing) console.log(`  ${id} ${text}`)
}
console.log(`${rows.filter(({ id }) => tested.has(id)).length} of ${rows.length} rows are named by a test.`)

const rules = new Set([...read('docs/security.md').matchAll(/^- \*\*([SR]\d+)\*\* /gm)].map(([, id]) => id))
const known = new Set([...rows.map(({ id }) => id), ...rules])
const cited = rulesInComments()
const unknown = [...tested.union(cited)].filter((id) => /^[A-Z]+-?\d+$/.test(id) && !known.has(id))
console.log(
  `${rules.intersection(tested.union(cited)).size} of ${rules.size} rules are named by a test or a comment.`,
)
if (unknown.length > 0) {
  console.error(`Tests or comments name rows or rules that do not exist: ${unknown.join(', ')}`)
  process.exitCode = 1
}

/** The ids in brackets in the titles of tests, as in test('a guest sees Delete [SHELL-44]', …). */
function idsInTitles() {
  const files = globSync('{contract,server,web,e2e,faults,scripts}/**/*.{test,e2e}.{ts,tsx}', { cwd: root })
  const titles = files.flatMap((file) => titlesIn(read(file)))
  return new Set(
    titles.flatMap((title) =>
      [...title.matchAll(/\[([A-Z0-9 ,-]+)\]/g)].flatMap(([, ids]) => ids.split(/[ ,]+/)),
    ),
  )
}

/** The rules that comments of the code cite, as in `(S47, R2)`: on lines of their own, after code, in JSX and in SQL. */
function rulesInComments() {
  const files = globSync(
    '{*,{contract,server,web,e2e,faults,bench,scripts,migrations}/**/*}.{ts,tsx,mjs,css,sql}',
    {
      cwd: root,
    },
  )
  const comments = files.flatMap((file) => read(file).match(/\/\*.*?\*\/|(?:\/\/|--).*?$/gms) ?? [])
  return new Set(comments.flatMap((comment) => comment.match(/\b[SR]\d{1,2}\b/g) ?? []))
}

/** The first argument of test(…), or of the function that test.each(…) returns. */
function titlesIn(text) {
  const calls = text.split(/^\s*test\b/m).slice(1)
  return calls.flatMap((call) => {
    const hasTable = /^\.(each|for)\b/.test(call)
    const title = hasTable ? /\)\(\s*(['"`])(.*?)\1,/s : /^(?:\.\w+(?:\([^()]*\))?)*\(\s*(['"`])(.*?)\1,/s
    return title.exec(call)?.[2] ?? []
  })
}
