import {
  createHashing,
  grantAdmin,
  grantModerator,
  removeAccountByEmail,
  revokeAdmin,
  revokeModerator,
  setPassword,
} from '#server/features/account/index.ts'
import { changeDiaryKey, openVault } from '#server/features/day-texts/index.ts'
import { fillDemo } from '#server/features/demo/index.ts'
import { countFeedDaysAnew } from '#server/features/feed/index.ts'
import { unlinkByNewPassword } from '#server/features/openid/index.ts'
import { makeSealKey } from '#server/features/rooms/index.ts'
import { isTimeZone, type Settings } from '#server/config.ts'
import { DomainEvents } from '#server/domain-events.ts'
import { allEncryptedTables, allPersonalData } from '#server/features.ts'
import { cutShort } from '#server/platform/cut-short.ts'
import { OperatorError } from '#server/platform/operator-error.ts'
import { changeTimeZone, holdTimeZone } from '#server/platform/time-zone.ts'
import { backup, restore } from './backup.ts'
import { examine } from './doctor.ts'
import { connect, type Place } from './place.ts'
import { readPassword } from './read-password.ts'
import { copyUploads } from './uploads.ts'

export interface Command {
  name: string
  /** The names of its arguments in the help; a command without them takes none. */
  argument?: string
  /** What the command does, in one line of the list. */
  does: string
  /** What else an operator should know. */
  details: string
  /** Whether the command works beside a running server. */
  besideServer: string
  /** The settings that it reads besides `DATA_DIR` and `DATABASE_URL`; 'none' when it reads not even these. */
  reads?: (keyof Settings)[] | 'none'
  examples: string[]
  /** Whether it runs where `DATA_DIR` holds no database. */
  needsNoDatabase?: true
  /** Returns the sentence to print. */
  run: (config: Settings, given: string[], signal: AbortSignal) => Promise<string>
}

/** The S3 service that stores the uploads. */
const uploadSettings = [
  'uploadsEndpoint',
  'uploadsBucket',
  'uploadsRegion',
  'uploadsAccessKeyId',
  'uploadsSecretKey',
] as const

/** The only option of a command. */
export const applyOption = '--apply'

export const commands: Command[] = [
  {
    name: 'admin grant',
    argument: 'EMAIL',
    does: 'makes a registered person an admin, with a new password',
    details:
      'An admin has a password of at least 12 characters that is not common, and the server does not know how long the present one is. So the command asks for a new one, as "password" does. The demo account can never be an admin. The audit log names the change.',
    besideServer: 'yes: the sessions of the person end, and the next sign-in is that of an admin',
    reads: ['passwordMinLength'],
    examples: ['admin grant ana@example.org', 'admin grant ana@example.org < FILE'],
    run: withPassword(grantAdmin),
  },
  {
    name: 'admin revoke',
    argument: 'EMAIL',
    does: 'takes away the right of an admin',
    details: 'The account stays. The audit log names the change. The command warns when no admin is left.',
    besideServer: 'yes: the sessions of the person end at once',
    examples: ['admin revoke ana@example.org'],
    run: onDatabase((place, email) => revokeAdmin(place, email)),
  },
  {
    name: 'moderator grant',
    argument: 'EMAIL',
    does: 'makes a registered person a moderator',
    details:
      'A moderator reviews posts and reports, and suspends people. Admins give the right on the page too. A moderator has a password of at least 12 characters that is not common: the next sign-in refuses another one, and then "password" or a reset link of an admin sets a new one. The audit log names the change.',
    besideServer: 'yes: the sessions of the person end, and the next sign-in is that of a moderator',
    examples: ['moderator grant ana@example.org'],
    run: onDatabase((place, email) => grantModerator(place, email)),
  },
  {
    name: 'moderator revoke',
    argument: 'EMAIL',
    does: 'takes away the right of a moderator',
    details: 'The account stays. The audit log names the change.',
    besideServer: 'yes: the sessions of the person end at once',
    examples: ['moderator revoke ana@example.org'],
    run: onDatabase((place, email) => revokeModerator(place, email)),
  },
  {
    name: 'user delete',
    argument: 'EMAIL',
    does: 'deletes an account as its owner would',
    details:
      'Published posts and passages stay without the name, and so do reports about them. Private texts, friendships and sessions are deleted. Nobody can undo it. The command warns when no admin is left.',
    besideServer: 'yes: the sessions of the person end at once',
    examples: ['user delete ana@example.org'],
    run: onDatabase((place, email) => removeAccountByEmail(place, email, allPersonalData)),
  },
  {
    name: 'password',
    argument: 'EMAIL',
    does: 'sets a password, and ends all sessions and the OpenID Connect link of the person',
    details:
      'It asks twice in a terminal, which does not show the password, or reads one line from standard input. It never takes the password as an argument, which every account of the machine could read.',
    besideServer: 'yes: the old password is refused at once',
    reads: ['passwordMinLength', 'refusesCommonPasswords'],
    examples: ['password ana@example.org', 'password ana@example.org < FILE'],
    run: withPassword(setPassword),
  },
  {
    name: 'export',
    argument: 'EMAIL FILE',
    does: 'writes everything of a person into one ZIP',
    details:
      'The file has what the person exports in the settings, apart from what their browser keeps. It must not exist, and only this account may read it. It holds private texts in the clear: give it to that person alone.',
    besideServer: 'yes: people read and write meanwhile',
    reads: ['diaryKey', 'publicOrigin', 'port'],
    examples: ['export ana@example.org /tmp/ana.zip'],
    run: async (config, [email = '', file = ''], signal) => {
      const { exportArchive } = await import('./export.ts')
      return connect(config, (place) => exportArchive(place, { email, file }, signal), signal)
    },
  },
  {
    name: 'import',
    argument: 'EMAIL FILE [--apply]',
    does: 'adds texts of another program, or of an archive, to an account',
    details:
      'FILE is a file or a folder that the person could also import in the settings. Without --apply the command changes nothing: it prints how many texts are new, same, in conflict, not understood and skipped, and then each problem with its place. A second import of the same file changes nothing, and a day that has other text keeps both.',
    besideServer: 'yes: a text that the person saves meanwhile stays',
    reads: ['diaryKey'],
    examples: ['import ana@example.org day-one.zip', 'import ana@example.org day-one.zip --apply'],
    run: async (config, [email = '', file = '', apply], signal) => {
      const { importFile } = await import('./import.ts')
      return importFile(config, { email, file, applies: apply === applyOption }, signal)
    },
  },
  {
    name: 'backup',
    argument: 'FILE',
    does: 'writes database and uploads into one file',
    details:
      'The file must not exist. It shows one moment, has checksums, and contains neither DIARY_KEY nor sessions. The command does not migrate the database, so that it can run before an update.',
    besideServer: 'yes: people read and write meanwhile',
    reads: [...uploadSettings],
    examples: ['backup /var/backups/zimmer.tar.zst'],
    run: (config, [file = ''], signal) => backup(config, file, signal),
  },
  {
    name: 'restore',
    argument: 'FILE',
    does: 'fills an empty instance from a backup',
    details:
      'It checks the whole file first, and refuses a damaged file and a database that holds data. With DATABASE_URL it fills the empty database there, and DATA_DIR, or the empty bucket of UPLOADS_S3_ENDPOINT, gets the uploads. After an interruption run it again.',
    besideServer: 'no: stop the server, because the place must be empty',
    reads: [...uploadSettings],
    examples: ['restore /var/backups/zimmer.tar.zst'],
    needsNoDatabase: true,
    run: (config, [file = ''], signal) => restore(config, file, signal),
  },
  {
    name: 'uploads to-s3',
    does: 'copies the uploads of the data folder into the S3 bucket',
    details:
      'It copies every file that the database names, and compares size and SHA-256 of both copies. It deletes nothing. After an interruption run it again. First run it with the UPLOADS_S3_ settings, then start the servers with them, and then run it again for the files that came meanwhile.',
    besideServer: 'yes: a file that is uploaded meanwhile is copied by the next run',
    reads: [...uploadSettings],
    examples: ['uploads to-s3'],
    run: onDatabase((place) => copyUploads(place, 's3')),
  },
  {
    name: 'uploads to-folder',
    does: 'copies the uploads of the S3 bucket into the data folder',
    details:
      'It does what "uploads to-s3" does in the other direction. First run it with the UPLOADS_S3_ settings, then start the servers without them, and then run it again with them.',
    besideServer: 'yes: a file that is uploaded meanwhile is copied by the next run',
    reads: [...uploadSettings],
    examples: ['uploads to-folder'],
    run: onDatabase((place) => copyUploads(place, 'folder')),
  },
  {
    name: 'demo',
    does: 'fills an empty instance with sample people and posts',
    details:
      'It refuses an instance that has posts or people other than admins. The data contain no real person.',
    besideServer: 'yes: the posts appear within seconds',
    reads: ['timeZone', 'diaryKey'],
    examples: ['demo'],
    needsNoDatabase: true,
    run: onDatabase(fillDemoInZone),
  },
  {
    name: 'diary-key',
    does: 'encrypts diary, calendar and messages with a new key',
    details:
      'DIARY_KEY is the key in use (none, if there was none) and DIARY_KEY_NEW the new one. All texts change in one transaction. Keep the old key as long as you keep backups from before.',
    besideServer:
      'yes, but the server then locks diary, calendar and messages until it is started with the new key',
    reads: ['diaryKey', 'newDiaryKey'],
    examples: ['diary-key'],
    run: onDatabase((place) => changeDiaryKey(place, allEncryptedTables)),
  },
  {
    name: 'seal-key new',
    does: 'makes another key that signs the seals of stories',
    details:
      'Seals of before stay valid: /.well-known/zimmer-seal.json lists all public keys. The secret of the key before is deleted. With DIARY_KEY the new one is encrypted.',
    besideServer: 'yes: it signs with the new key from the next signature on',
    reads: ['diaryKey'],
    examples: ['seal-key new'],
    run: onDatabase(newSealKey),
  },
  {
    name: 'verify',
    argument: 'FILE [FILE]',
    does: 'verifies the seal or the book of a story, and a receipt',
    details:
      'It needs no database and asks no server. The exit code is 1 when something is false. docs/credit.md says what a seal proves.',
    besideServer: 'yes',
    reads: 'none',
    examples: ['verify seal.json', 'verify story.epub', 'verify seal.json receipt.json'],
    needsNoDatabase: true,
    run: async (_config, given) => {
      const { verifyFiles } = await import('./verify.ts')
      return verifyFiles(given)
    },
  },
  {
    name: 'time-zone',
    argument: 'ZONE',
    does: 'moves every post to its day in another time zone',
    details:
      'The zone is stored with the data. After an interruption no server starts until the command has run again.',
    besideServer: 'no: stop all servers, because the feed must not show days of two zones',
    examples: ['time-zone Europe/Berlin'],
    run: onDatabase(moveToZone),
  },
  {
    name: 'migrate',
    does: 'brings the database to this version',
    details: 'A start does the same. The previous version keeps working on the new tables.',
    besideServer: 'yes: a server of the previous version keeps serving',
    examples: ['migrate'],
    // The database has been migrated before this runs.
    run: onDatabase(async () => 'The database is at this version.'),
  },
  {
    name: 'doctor',
    does: 'checks the installation and names what is wrong',
    details:
      'It prints one line for each check: "fine", "warning" or "wrong", and what to do. The exit code is 1 when something is wrong. It migrates the database to this version, writes one key in Redis for a second, and one object in the S3 bucket, which it deletes, renders one page, and changes nothing else. Give it the settings of the server.',
    besideServer: 'yes',
    reads: [
      'databasePoolUrl',
      'redisUrl',
      'timeZone',
      'publicOrigin',
      'trustProxy',
      'host',
      'diaryKey',
      ...uploadSettings,
    ],
    examples: ['doctor'],
    run: onDatabase(examine),
  },
]

/** Runs a command with the database, which is migrated to this version first. */
function onDatabase(work: (place: Place, argument: string) => Promise<string>): Command['run'] {
  return (config, [argument = ''], signal) => connect(config, (place) => work(place, argument), signal)
}

/** Runs a command that asks the operator for a password and sets it for a person. */
function withPassword(work: typeof setPassword): Command['run'] {
  return async (config, [email = ''], signal) => {
    const password = await cutShort(readPassword(email), signal)
    const events = new DomainEvents()
    unlinkByNewPassword(events)
    return connect(
      config,
      (place) => work({ ...place, events }, createHashing(place.random), config, { email, password }),
      signal,
    )
  }
}

async function fillDemoInZone(place: Place): Promise<string> {
  const { connection, config } = place
  const zone = await holdTimeZone({ connection, wanted: config.timeZone })
  return fillDemo(place.database, zone.name, place).finally(() => zone.release())
}

async function newSealKey({ database, config, random }: Place): Promise<string> {
  const vault = await openVault({ database, config, random })
  if (vault.isLocked)
    throw new OperatorError(
      'DIARY_KEY is not the key that the texts are encrypted with. Nothing was changed.',
    )
  return `Seals are signed with the key ${await makeSealKey(database, vault)} from now on.`
}

async function moveToZone({ connection, database }: Place, zone: string): Promise<string> {
  if (!isTimeZone(zone)) throw new OperatorError(`${zone} is no time zone: name one such as Europe/Berlin.`)
  await changeTimeZone(connection, zone, () => countFeedDaysAnew(database, zone))
  return `Days are counted in ${zone} from now on: set APP_TIME_ZONE to it, or leave it out.`
}
