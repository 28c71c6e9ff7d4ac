import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig, settings } from './config.ts'
import { misspeltSettings } from './misspelt-settings.ts'

test('everything but secrets has a default', () => {
  expect(readConfig({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    dataDir: './data',
    supportEmail: 'support@zimmer.example',
    companyName: 'Z!mmer',
    premiumPublish: 'registered',
    demoMode: false,
    limitsRates: true,
  })
})

test('an operator finds every setting in the manual with its default and its meaning', () => {
  const manual = readFileSync(join(import.meta.dirname, '../docs/operations.md'), 'utf8')
  const [, table = ''] = /^### Settings$[^|]*((?:^\|.*\n)+)/m.exec(manual) ?? []
  const rows = table.trim().split('\n').slice(2)
  const described = Object.values(settings).map(
    ({ variable, fallback = '', description }) => `| \`${variable}\` | ${fallback} | ${description} |`,
  )
  expect(rows.map((row) => row.replaceAll(/ +/g, ' '))).toEqual(
    described.map((row) => row.replaceAll(/ +/g, ' ')),
  )
})

test.each([
  ['PORT', 'http'],
  ['PORT', '65536'],
  ['PASSWORD_MIN_LENGTH', '5'],
  ['COMMON_PASSWORDS', 'on'],
  ['LOG_LEVEL', 'loud'],
  ['APP_TIME_ZONE', 'Mars/Olympus'],
  ['APP_TIME_ZONE', '+02:00'],
  ['DATABASE_URL', 'mysql://localhost'],
  ['DATABASE_URL', 'postgres://ana@db.example.org:port/zimmer'],
  ['DATABASE_URL', 'postgres://ana@db.example.org/zimmer?port=undefined'],
  ['DATABASE_POOL_URL', 'postgres://ana@/zimmer?host=/tmp&port=65536'],
  ['DATABASE_URL', 'postgres://db.example.org/zimmer?sslrootcert=/nowhere/root.pem'],
  ['DATABASE_POOL_URL', 'postgres://db.example.org/zimmer?sslrootcert=/nowhere/root.pem'],
  ['REDIS_URL', 'localhost:6379'],
  ['PUBLIC_ORIGIN', 'example.org'],
  ['PUBLIC_ORIGIN', 'https://example.org/path'],
  ['REDIS_URL', 'redis://host:port'],
  ['PUBLIC_ORIGIN', 'https://example.org?page'],
  ['PUBLIC_ORIGIN', 'https://ana@example.org'],
  ['PUBLIC_ORIGIN', 'https://*.example.org'],
  ['PUBLIC_ORIGIN', 'https://\\evil'],
  ['PUBLIC_ORIGIN', 'https://example.org\\evil'],
  ['PUBLIC_ORIGIN', 'https://example.org\n'],
  ['PUBLIC_ORIGIN', 'https://example.org evil'],
  ['PUBLIC_ORIGIN', 'https://ex%61mple.org'],
  ['PUBLIC_ORIGIN', 'https://-example.org'],
  ['PUBLIC_ORIGIN', 'https://example..org'],
  ['PUBLIC_ORIGIN', 'https://$example.org'],
  ['TRUST_PROXY', '1'],
  ['TRUST_PROXY', 'true'],
  ['TRUST_PROXY', 'nginx'],
  ['TRUST_PROXY', 'loopback'],
  ['TRUST_PROXY', '10.0.0.7 10.0.0.8'],
  ['TRUST_PROXY', '10.0.0.7,'],
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['SMTP_URL', 'mail.example.org:587'],
  ['SMTP_URL', 'smtp://ana@mail.example.org'],
  ['MAIL_FROM', 'The desk <desk@zimmer.example>'],
  ['MAIL_FROM', 'desk@zimmer.example\r\nBcc: x@example.org'],
  ['MAIL_BOUNCE_SECRET', 'a secret that is long enough but has blanks'],
  ['MAIL_BOUNCE_SECRET', 'short'],
  ['ADMIN_EMAIL', 'boss'],
  ['PREMIUM_PUBLISH', 'some'],
  ['DEMO_MODE', 'yes'],
  ['SEARCH_ENGINES', 'no'],
  ['WEBSUB_HUB', 'hub.example'],
  ['WEBSUB_HUB', 'http://hub.example/'],
  ['WEBSUB_HUB', 'http://127.0.0.1.evil.example/'],
  ['WEBSUB_HUB', 'ftp://localhost/'],
  ['WEBSUB_HUB', 'https://*.example/'],
  ['OIDC_ISSUER', 'login.example'],
  ['OIDC_ISSUER', 'http://login.example'],
  ['OIDC_NAME', 'a'.repeat(41)],
  ['UPLOADS_S3_ENDPOINT', 's3.example.org'],
  ['UPLOADS_S3_ENDPOINT', 'http://s3.example.org'],
  ['UPLOADS_S3_ENDPOINT', 'https://s3.example.org/zimmer'],
  ['UPLOADS_S3_ENDPOINT', 'https://user:password@s3.example.org'],
  ['UPLOADS_S3_BUCKET', 'a/b'],
  ['UPLOADS_S3_REGION', 'eu central'],
  ['UPLOADS_S3_ACCESS_KEY_ID', 'two words'],
  ['UPLOADS_S3_SECRET_ACCESS_KEY', 'line\nline'],
  ['SUBMISSION_PORTAL', 'https://\\evil'],
  ['SUBMISSION_PORTAL', 'https://*.example/'],
  ['DIARY_KEY', 'secret'],
  ['DIARY_KEY', 'g'.repeat(64)],
  ['DIARY_KEY_NEW', 'a'.repeat(63)],
  ['SUBMISSION_PORTAL', 'http://example.org'],
  ['ADMIN_PASSWORD', 'short'],
  ['METRICS_TOKEN', 'short'],
  ['METRICS_TOKEN', `${' '.repeat(11)}short`],
])('a wrong %s is refused with a sentence that names it', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(`The setting ${name} is not usable`)
})

test('a setting made of blanks is refused with a sentence that names it', () => {
  for (const { variable } of Object.values(settings))
    for (const blanks of [' ', ' '.repeat(64), '\t\n', '\u00a0', '\u200b'])
      expect(() => readConfig({ [variable]: blanks })).toThrow(
        `The setting ${variable} is not usable: it consists of blanks.`,
      )
  expect(readConfig({ HOST: '', COMPANY_NAME: '' })).toEqual(readConfig({}))
})

test.each([
  ['https://example.org', 'https://example.org'],
  ['https://example.org/', 'https://example.org'],
  ['https://Example.org:443', 'https://example.org'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['http://192.0.2.7:3000', 'http://192.0.2.7:3000'],
  ['http://[2001:db8::1]', 'http://[2001:db8::1]'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ['http://zimmer_app', 'http://zimmer_app'],
])('an operator names the origin %s', (given, origin) => {
  expect(readConfig({ PUBLIC_ORIGIN: given }).publicOrigin).toBe(origin)
})

test.each(['10.0.0.7', '10.0.0.0/8, 172.16.0.0/12', '::1,fd00::/8', '10.0.0.0/255.0.0.0'])(
  'an operator names the proxies %s',
  (proxies) => {
    expect(readConfig({ TRUST_PROXY: proxies }).trustProxy).toBe(proxies)
  },
)

test.each([
  ['PORTT', 'PORT'],
  ['HOTS', undefined],
  ['HOSTS', 'HOST'],
  ['port', 'PORT'],
  ['ADMIN_MAIL', 'ADMIN_EMAIL'],
  ['TRUSTED_PROXY', 'TRUST_PROXY'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['Public_Origin', 'PUBLIC_ORIGIN'],
  ['ZIMMER_TRUST_PROXY', 'TRUST_PROXY'],
  ['DATADIR', 'DATA_DIR'],
])('an operator who writes %s reads which setting has a name near to it: %s', (name, meant) => {
  const sentences =
    meant === undefined ? [] : [`${name} is no setting and is ignored. Did you mean ${meant}?`]
  expect(misspeltSettings({ [name]: '1' })).toEqual(sentences)
})

test('variables of shells, npm, Docker, systemd, Kubernetes and other programs are no misspelt settings', () => {
  const foreign = `PATH HOME PWD OLDPWD USER LOGNAME SHELL SHLVL TERM COLORTERM LANG LANGUAGE LC_ALL TZ EDITOR PAGER MAIL _
    HOSTNAME HOSTTYPE MACHTYPE OSTYPE UID EUID PPID IFS COLUMNS LINES DISPLAY TMPDIR TEMP LS_COLORS SUDO_USER SSH_TTY
    XDG_DATA_DIRS XDG_DATA_HOME XDG_CONFIG_DIRS XDG_RUNTIME_DIR DBUS_SESSION_BUS_ADDRESS
    HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy SSL_CERT_FILE SSL_CERT_DIR
    NODE NODE_ENV NODE_OPTIONS NODE_PATH NODE_COMPILE_CACHE NODE_EXTRA_CA_CERTS INIT_CWD CI DEBUG FORCE_COLOR NO_COLOR
    npm_config_loglevel npm_config_port npm_config_host npm_config_cache npm_lifecycle_event npm_package_name npm_execpath
    npm_config_user_agent npm_command COREPACK_HOME npm_config_data_dir npm_config_proxy
    INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET LISTEN_FDS LISTEN_PID SYSTEMD_EXEC_PID STATE_DIRECTORY CREDENTIALS_DIRECTORY
    KUBERNETES_PORT KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT KUBERNETES_SERVICE_PORT_HTTPS ZIMMER_SERVICE_HOST
    ZIMMER_SERVICE_PORT ZIMMER_PORT_3000_TCP ZIMMER_PORT_3000_TCP_ADDR ZIMMER_PORT_3000_TCP_PORT POD_IP POD_NAME
    REDIS_HOST REDIS_PORT REDIS_PASSWORD REDIS_TLS_URL POSTGRES_USER POSTGRES_DB POSTGRES_PASSWORD POSTGRES_HOST
    PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE PGSSLMODE DATABASE_HOST DATABASE_PORT DATABASE_USER DATABASE_NAME
    POST SORT PART FORT SPORT GHOST MOST COST HOSE LOST
    DB_URL DB_HOST PORT0 PORT1 GPG_TTY VISUAL WINDOWID DYNO GITHUB_TOKEN AWS_REGION LD_LIBRARY_PATH CHROME_PATH`
  const environment = Object.fromEntries(foreign.split(/\s+/).map((name) => [name, 'value']))
  environment.ZIMMER_PORT = 'tcp://10.96.0.7:3000'
  expect(misspeltSettings(environment)).toEqual([])
  expect(misspeltSettings(Object.fromEntries(Object.values(settings).map((s) => [s.variable, '1'])))).toEqual(
    [],
  )
})

test('the test clock is for tests alone, and an admin has both settings', () => {
  expect(() => readConfig({ TEST_CLOCK: '2025-06-10T12:00:00Z' })).toThrow('NODE_ENV=test')
  expect(() => readConfig({ ADMIN_EMAIL: 'a@example.org' })).toThrow('together')
})

test('an operator who names PgBouncer also names the database behind it, and uses no test clock', () => {
  const pool = { DATABASE_POOL_URL: 'postgres://zimmer@localhost:6432/zimmer' }
  expect(() => readConfig(pool)).toThrow('needs DATABASE_URL')
  const both = { ...pool, DATABASE_URL: 'postgres://zimmer@localhost/zimmer' }
  expect(readConfig(both).databasePoolUrl).toBe(pool.DATABASE_POOL_URL)
  const tested = { ...both, NODE_ENV: 'test', TEST_CLOCK: '2025-06-10T12:00:00Z' }
  expect(() => readConfig(tested)).toThrow('TEST_CLOCK cannot be used')
})

test.each([
  [
    { SMTP_URL: 'smtp://ana:secret@mail.example.org' },
    'SMTP_URL and MAIL_FROM are set together or not at all.',
  ],
  [{ MAIL_FROM: 'desk@zimmer.example' }, 'SMTP_URL and MAIL_FROM are set together or not at all.'],
  [
    { SMTP_URL: 'smtp://ana:secret@mail.example.org', MAIL_FROM: 'desk@zimmer.example' },
    'SMTP_URL needs PUBLIC_ORIGIN, to which the links of mails lead.',
  ],
  [{ MAIL_BOUNCE_SECRET: 'secret'.repeat(6) }, 'MAIL_BOUNCE_SECRET needs SMTP_URL, by which mails are sent.'],
])(
  'settings of mail that lack one are refused in one sentence, without the password [REACH-01]',
  (given, sentence) => {
    expect(() => readConfig(given)).toThrow(sentence)
  },
)

test('a wrong address of a mail server is refused without its password [REACH-01]', () => {
  const given = { SMTP_URL: 'smtp://ana:secret@mail.example.org/path' }
  expect(() => readConfig(given)).toThrow(
    'The setting SMTP_URL is not usable: an address such as smtp://user:password@host:587.',
  )
})

const provider = {
  OIDC_ISSUER: 'https://login.example',
  OIDC_CLIENT_ID: 'zimmer',
  OIDC_CLIENT_SECRET: 'secret',
  OIDC_NAME: 'The Library',
  PUBLIC_ORIGIN: 'https://zimmer.example',
}

const uploads = {
  UPLOADS_S3_ENDPOINT: 'https://s3.example.org/',
  UPLOADS_S3_BUCKET: 'zimmer',
  UPLOADS_S3_ACCESS_KEY_ID: 'AKIAEXAMPLE',
  UPLOADS_S3_SECRET_ACCESS_KEY: 'the/secret+of=it',
}

test('an operator who leaves out a setting of the S3 service reads which ones go together, without the secret [S34]', () => {
  expect(readConfig(uploads)).toMatchObject({
    uploadsEndpoint: 'https://s3.example.org',
    uploadsRegion: 'us-east-1',
    uploadsSecretKey: 'the/secret+of=it',
  })
  expect(readConfig({ ...uploads, UPLOADS_S3_ENDPOINT: 'http://127.0.0.1:9000' }).uploadsEndpoint).toBe(
    'http://127.0.0.1:9000',
  )
  for (const variable of Object.keys(uploads))
    expect(() => readConfig({ ...uploads, [variable]: '' })).toThrow(
      /^UPLOADS_S3_ENDPOINT, UPLOADS_S3_BUCKET, UPLOADS_S3_ACCESS_KEY_ID and UPLOADS_S3_SECRET_ACCESS_KEY are set together or not at all\.$/,
    )
})

test('an operator who leaves out a setting of the provider reads which ones go together [INST-08]', () => {
  expect(readConfig(provider)).toMatchObject({
    openidIssuer: 'https://login.example',
    openidName: 'The Library',
  })
  for (const variable of ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_NAME'])
    expect(() => readConfig({ ...provider, [variable]: '' })).toThrow(
      'OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET and OIDC_NAME are set together or not at all.',
    )
  expect(() => readConfig({ ...provider, PUBLIC_ORIGIN: '' })).toThrow('OIDC_ISSUER needs PUBLIC_ORIGIN')
})

test('a provider without TLS is accepted on this machine and in tests alone [INST-08]', () => {
  const plain = { ...provider, OIDC_ISSUER: 'http://127.0.0.1:4000' }
  expect(() => readConfig(plain)).toThrow('OIDC_ISSUER is an https address')
  expect(readConfig({ ...plain, NODE_ENV: 'test' }).openidIssuer).toBe('http://127.0.0.1:4000')
})
