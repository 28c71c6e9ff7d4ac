import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { BlockList } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { getMe } from '#contract/account/endpoints.ts'
import { errors } from '#contract/errors.ts'
import { parseCommand } from '../commands/help.ts'
import { settings } from '../config.ts'
import { startTestApp } from '../testing/test-app.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFile(join(root, path), 'utf8')

interface Rule {
  alert: string
  expr: string
  for?: string
  labels: { severity: string }
  annotations: { summary: string; runbook: string }
}

interface Service {
  image?: string
  restart?: string
  stop_grace_period?: string
  environment?: Record<string, string>
  volumes?: string[]
  depends_on?: Record<string, { condition: string }>
  healthcheck?: { test: string[] }
  [other: string]: unknown
}

const readRules = async () => {
  const { groups } = parse(await read('deploy/prometheus/alerts.yml')) as { groups: { rules: Rule[] }[] }
  return groups.flatMap(({ rules }) => rules)
}

async function readPanels() {
  const { panels } = JSON.parse(await read('deploy/grafana/dashboard.json')) as {
    panels: { title: string; targets: { expr: string }[] }[]
  }
  return panels
}

/** Words of PromQL, and the metric that Prometheus itself adds for each target. */
const ofPrometheus = new Set(['up', 'time', 'by', 'le', 'ignoring', 'or', 'status', 'code'])

const metricsOf = (query: string) =>
  (
    query
      .replaceAll(/\{[^}]*\}|\[[^\]]*\]|\b(by|ignoring) ?\([^)]*\)/g, ' ')
      .match(/[a-z_]\w*(?!\w)(?! *\()/g) ?? []
  ).filter((name) => !ofPrometheus.has(name))

test('every query of the dashboard and of the alerts names a metric that /metrics has, and selects the job of this program [R21]', async () => {
  const { request, visitor } = await startTestApp({ config: { dataDir: tmpdir() } })
  await visitor().tries(getMe)
  const { body } = await request({ url: '/metrics' })
  const queries = [
    ...(await readRules()).map(({ expr }) => expr),
    ...(await readPanels()).flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ]
  expect(queries.length).toBeGreaterThan(30)
  const names = new Set(queries.flatMap(metricsOf))
  const lines = body.split('\n').map((line) => /^\w+/.exec(line)?.[0])
  expect([...names].filter((name) => !lines.includes(name))).toEqual([])

  // Prometheus may also collect from other programs, of which some have a metric of the same name.
  const selectors = queries.flatMap((query) => query.match(/\b(zimmer_\w+|up)\b(\{[^}]*\})?/g) ?? [])
  expect(selectors.length).toBeGreaterThanOrEqual(queries.length)
  expect(selectors.filter((selector) => !/\{job="zimmer"[,}]/.test(selector))).toEqual([])

  const labels = queries.flatMap((query) =>
    [...query.matchAll(/(\w+)="(\w+)"/g)].map(([, name, value]) => [name, value]),
  )
  const known = ([name, value]: (string | undefined)[]) =>
    name === 'job' || (name === 'code' ? Object.hasOwn(errors, value!) : body.includes(`${name}="${value}"`))
  expect(labels.filter((label) => !known(label))).toEqual([])
})

test('every alert has a time, a severity, a summary and a part in the manual', async () => {
  const headings = new Set(
    (await read('docs/operations.md')).split('\n').flatMap((line) => /^#### (.*)$/.exec(line)?.[1] ?? []),
  )
  const rules = await readRules()
  expect(rules.map(({ alert }) => alert)).toEqual([...headings])
  for (const rule of rules)
    expect(rule).toMatchObject({
      for: expect.stringMatching(/^\d+m$/),
      labels: { severity: expect.stringMatching(/^(critical|warning)$/) },
      annotations: {
        summary: expect.stringMatching(/./),
        runbook: `docs/operations.md#${rule.alert.toLowerCase()}`,
      },
    })
})

test('an operator finds in deploy/ and in the manual only settings that exist', async () => {
  const known = new Set(Object.values(settings).map(({ variable }) => variable))
  // Settings of Node, of the image of Postgres, and of the compose file.
  const others = new Set([
    'NODE_ENV',
    'NODE_EXTRA_CA_CERTS',
    'POSTGRES_USER',
    'POSTGRES_DB',
    'POSTGRES_PASSWORD',
    'POSTGRES_INITDB_ARGS',
  ])
  const files = [...(await filesIn('deploy')), 'docs/operations.md', 'README.md']
  const named = await Promise.all(
    files.map(async (file) => (await read(file)).match(/(?<![\w%$-])[A-Z][A-Z\d]*(?:_[A-Z\d]+)+\b/g) ?? []),
  )
  const isOfSystem = (name: string) => name.startsWith('AF_') || name.startsWith('ETCD_')
  expect(
    [...new Set(named.flat())].filter((name) => !isOfSystem(name) && !known.has(name) && !others.has(name)),
  ).toEqual([])
})

test('compose starts two processes after Postgres and Redis, with shared uploads and without a secret in the file', async () => {
  const { services } = parse(await read('deploy/compose.yaml'), { merge: true }) as {
    services: Record<string, Service>
  }
  const { 'app-1': one, 'app-2': two, postgres, redis, nginx } = services
  expect({ ...one, networks: {} }).toEqual({ ...two, networks: {} })
  expect(one!.volumes).toEqual(['data:/data'])
  expect(one!.depends_on).toEqual({
    postgres: { condition: 'service_healthy' },
    redis: { condition: 'service_healthy' },
  })
  expect(nginx!.depends_on).toEqual({
    'app-1': { condition: 'service_healthy' },
    'app-2': { condition: 'service_healthy' },
  })
  for (const service of [postgres, redis]) expect(service!.healthcheck?.test.length).toBeGreaterThan(1)
  const all = Object.entries(services)
  expect(all.filter(([, { restart }]) => restart !== 'always')).toEqual([])
  const foreign = [postgres, redis, nginx].map((service) => service!.image)
  expect(foreign.filter((image) => !/:\d+\.\d+/.test(image!))).toEqual([])
  const secrets = all.flatMap(([, { environment = {} }]) =>
    Object.entries(environment).filter(([name]) => /PASSWORD|KEY|TOKEN|DATABASE_URL/.test(name)),
  )
  expect(secrets).toHaveLength(3)
  expect(secrets.filter(([, value]) => !value.includes('${POSTGRES_PASSWORD:?}'))).toEqual([])
  // R17: the server ends within 10 s.
  expect(Number.parseInt(one!.stop_grace_period!, 10)).toBeGreaterThan(10)
  const file = await read('deploy/compose.yaml')
  const address = one!.environment!.TRUST_PROXY!
  expect(nginx!.networks).toEqual({ front: { ipv4_address: address } })
  // The app starts before nginx, and must not get the address of nginx.
  expect(isIn(address, /subnet: (\S+)/.exec(file)![1]!)).toBe(true)
  expect(isIn(address, /ip_range: (\S+)/.exec(file)![1]!)).toBe(false)
})

function isIn(address: string, range: string): boolean {
  const [net, prefix] = range.split('/') as [string, string]
  const list = new BlockList()
  list.addSubnet(net, Number(prefix))
  return list.check(address)
}

test('in compose every fixed address stays free, and nginx finds both processes after an update', async () => {
  const { services, networks } = parse(await read('deploy/compose.yaml'), { merge: true }) as {
    services: Record<string, { networks: { front?: { ipv4_address?: string } } }>
    networks: { front: { ipam: { config: object[] } } }
  }
  const gateway = '172.30.42.1'
  expect(networks.front.ipam.config).toEqual([
    { subnet: '172.30.42.0/24', gateway, ip_range: '172.30.42.128/25' },
  ])
  const fixed = Object.values(services).flatMap(({ networks: { front } }) =>
    front ? [front.ipv4_address] : [],
  )
  expect(fixed).toHaveLength(3)
  expect(new Set([...fixed, gateway]).size).toBe(4)
  for (const address of fixed) {
    expect(address).toMatch(/^172\.30\.42\.\d+$/)
    expect(Number(address!.split('.')[3])).toBeLessThan(128)
  }
})

test('compose gives nginx its files, room for many streams, and visitors over IPv4 alone [R12]', async () => {
  const { services } = parse(await read('deploy/compose.yaml'), { merge: true }) as {
    services: { nginx: { ports: string[]; volumes: string[] } }
  }
  const { ports, volumes } = services.nginx
  expect(ports).toEqual(['0.0.0.0:80:80', '0.0.0.0:443:443'])
  expect(volumes.map((volume) => volume.split(':')[1])).toEqual([
    '/etc/nginx/nginx.conf',
    '/etc/nginx/conf.d/default.conf',
    '/docker-entrypoint.d/05-first-certificate.sh',
    '/etc/nginx/certificates',
    '/var/www/acme',
  ])
  const [main, site] = await Promise.all(['nginx', 'zimmer'].map((name) => read(`deploy/nginx/${name}.conf`)))
  const connections = Number(/worker_connections (\d+);/.exec(main!)?.[1])
  expect(connections).toBeGreaterThanOrEqual(4096)
  expect(Number(/worker_rlimit_nofile (\d+);/.exec(main!)?.[1])).toBeGreaterThan(connections)
  expect(main).toContain('include /etc/nginx/conf.d/*.conf;')
  expect(Number(/limit_conn zimmer_address (\d+);/.exec(site!)?.[1])).toBeGreaterThan(50)
})

test('an operator who follows the manual opens no port of the app, and copies no data of the clone', async () => {
  const manual = await read('docs/operations.md')
  const published = [...manual.matchAll(/--publish (\S+)/g)].map(([, port]) => port)
  expect(published).toEqual(['127.0.0.1:3000:3000'])
  expect(manual).toMatch(
    /git -c safe\.directory=\S+ archive HEAD \| tar -x --no-same-owner -C \/opt\/zimmer-/,
  )
  expect(manual).not.toContain('cp -a . ')
})

test('the example of the settings holds no secret', async () => {
  const lines = (await read('deploy/env.example')).split('\n')
  const secrets = lines.filter((line) => /^\w*(PASSWORD|KEY|TOKEN)\w*=/.test(line))
  expect(secrets).toHaveLength(4)
  expect(secrets.filter((line) => !line.endsWith('='))).toEqual([])
})

test('the image is built in stages on a pinned base, runs without root under an init process, and has a health check', async () => {
  const lines = (await read('deploy/Dockerfile')).replaceAll(/\\\n\s*/g, '').split('\n')
  const stages = lines.flatMap((line, i) => (line.startsWith('FROM ') ? [i] : []))
  const bases = stages.map((i) => lines[i]!.split(' ')[1]!)
  expect(bases).toHaveLength(2)
  for (const base of bases) expect(base).toMatch(/:\d+\.\d+\.\d+-\w+/)
  const last = lines.slice(stages.at(-1))
  const has = (instruction: RegExp) => last.filter((line) => instruction.test(line))
  expect(has(/^USER zimmer$/)).toHaveLength(1)
  expect(has(/^ENTRYPOINT \["tini", "--"\]$/)).toHaveLength(1)
  expect(has(/^VOLUME \/data$/)).toHaveLength(1)
  expect(has(/^HEALTHCHECK .*\/health\/ready/)).toHaveLength(1)
  expect(has(/npm (ci|install|run)/)).toEqual([])
  // Nothing after USER runs as root.
  expect(last.findIndex((line) => line.startsWith('USER'))).toBeGreaterThan(
    last.findIndex((line) => line.startsWith('RUN')),
  )

  const context = (await read('deploy/Dockerfile.dockerignore')).split('\n')
  const allowed = context.flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []))
  expect(context).toContain('*')
  expect(allowed.filter((path) => globSync(path, { cwd: root }).length === 0)).toEqual([])
  const copied = lines.flatMap((line) => /^COPY --from=build (.*) \S+$/.exec(line)?.[1]?.split(' ') ?? [])
  const made = ['node_modules', 'dist/web', 'dist/render']
  const sources = copied.map((path) => path.replace('/app/', ''))
  expect(sources.filter((path) => !allowed.includes(path) && !made.includes(path))).toEqual([])
})

test('the unit of systemd starts the server again after every end, and allows a stop the time that it needs [R16 R17]', async () => {
  const unit = await read('deploy/systemd/zimmer@.service')
  const value = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1]
  expect(value('Restart')).toBe('always')
  expect(Number.parseInt(value('TimeoutStopSec')!, 10)).toBeGreaterThan(10)
  expect([value('User'), value('ProtectSystem'), value('StateDirectory')]).toEqual([
    'zimmer',
    'strict',
    'zimmer',
  ])
  expect([value('CapabilityBoundingSet'), value('NoNewPrivileges')]).toEqual(['', 'yes'])
})

const systemdIsMissing = spawnSync('systemd-analyze', ['--version']).status !== 0

test.skipIf(systemdIsMissing)('systemd accepts the unit', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zimmer-unit-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'zimmer@3000.service')
  const unit = await read('deploy/systemd/zimmer@.service')
  await writeFile(file, unit.replaceAll('/opt/zimmer', root))
  const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' })
  expect(`${stdout}${stderr}`.split('\n').filter((line) => line.includes('zimmer@'))).toEqual([])
})

test('every command of the operator that a document shows exists and is used as its help says', async () => {
  const files = [...(await filesIn('deploy')), 'docs/operations.md', 'README.md']
  const texts = await Promise.all(files.map(read))
  const shown = texts.flatMap((text) =>
    [...text.matchAll(/(?:npm run zimmer --|server\/zimmer\.ts) ([^`'\n]+)/g)].map(([, words]) =>
      words!.trim().split(' '),
    ),
  )
  expect(shown.length).toBeGreaterThan(15)
  for (const words of shown.filter(([first]) => first !== 'help' && first !== '…'))
    expect(() => parseCommand(words)).not.toThrow()
})

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1))
}

test('on three machines a change is on two disks before its answer, and the lease of the primary outlasts its tries to renew it [R1]', async () => {
  const { bootstrap, postgresql } = parse(await read('deploy/patroni/patroni.yml')) as {
    bootstrap: {
      dcs: { ttl: number; loop_wait: number; retry_timeout: number; postgresql: { parameters: object } }
    }
    postgresql: { parameters: object }
  }
  const { dcs } = bootstrap
  expect(dcs).toMatchObject({ synchronous_mode: true, synchronous_mode_strict: true })
  expect(dcs.ttl).toBeGreaterThanOrEqual(dcs.loop_wait + 2 * dcs.retry_timeout)
  // Durability must not be turned off on one machine either.
  const given = { ...dcs.postgresql.parameters, ...postgresql.parameters }
  expect(given).toMatchObject({ synchronous_commit: 'on' })
  expect(given).not.toHaveProperty('fsync')
  const proxy = await read('deploy/patroni/haproxy.cfg')
  expect(proxy).toContain('option httpchk OPTIONS /primary')
  expect(proxy).toContain('on-marked-down shutdown-sessions')
})
