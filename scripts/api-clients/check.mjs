// Checks the description of the API of a running server with public tools that are too large to install for all:
//   node scripts/api-clients/check.mjs http://localhost:3000
// Two linters read it with their recommended rules. Clients in TypeScript and Python are generated from it, compiled, and
// used. The server must be empty or for tests, because the clients make accounts on it. Needs npm, and Python 3 with
// dateutil.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const [address = 'http://localhost:3000'] = process.argv.slice(2)
const tools = [
  '@redocly/cli@2.77.0',
  '@stoplight/spectral-cli@6.16.3',
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  'quicktype@26.0.0',
  'typescript@5.9.3',
  '@types/node@26.6.6',
]

const folder = mkdtempSync(join(tmpdir(), 'zimmer-api-'))
const run = (program, ...args) => execFileSync(program, args, { cwd: folder, stdio: 'inherit' })
const tool = (name, ...args) => run(join(folder, 'node_modules/.bin', name), ...args)
const write = (name, content) => writeFileSync(join(folder, name), content)

try {
  const text = await (await fetch(new URL('/openapi.json', address))).text()
  write('openapi.json', text)
  write('package.json', '{ "private": true, "type": "module" }')
  run('npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts', ...tools)

  tool('redocly', 'lint', '--extends=recommended', 'openapi.json')
  write('.spectral.yaml', 'extends: ["spectral:oas"]')
  tool('spectral', 'lint', '--fail-severity=error', 'openapi.json')

  for (const name of ['smoke.mts', 'smoke.py']) cpSync(join(import.meta.dirname, name), join(folder, name))
  // A field with a default may be left out of a request.
  tool('openapi-typescript', 'openapi.json', '--default-non-nullable=false', '-o', 'api.mts')
  const compiler = '--strict --noEmit --skipLibCheck --module nodenext --target esnext --types node'
  tool('tsc', ...compiler.split(' '), '--allowImportingTsExtensions', 'smoke.mts')
  run(process.execPath, 'smoke.mts', address)

  const { schemas } = JSON.parse(text.replaceAll('#/components/schemas/', '#/definitions/')).components
  const properties = Object.fromEntries(
    Object.keys(schemas).map((name) => [name, { $ref: `#/definitions/${name}` }]),
  )
  const all = { type: 'object', properties, required: Object.keys(schemas), definitions: schemas }
  write('schemas.json', JSON.stringify(all))
  const python = '--lang python --python-version 3.7 --src-lang schema --top-level Api -o api.py'
  tool('quicktype', ...python.split(' '), 'schemas.json')
  run('python3', '-m', 'py_compile', 'api.py', 'smoke.py')
  run('python3', 'smoke.py', address)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
