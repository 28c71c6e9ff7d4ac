import type { Config } from './config.ts'
import type { DomainEvents } from './domain-events.ts'
import type { Hashing } from './features/account/hashing.ts'
import type { EncryptedTable } from './features/day-texts/encrypted-table.ts'
import type { Vault } from './features/day-texts/vault.ts'
import type { InboxEventLoaders } from './features/inbox/event-types.ts'
import type { Instance } from './features/instance/instance.ts'
import type { FileKind } from './platform/backup/backup.ts'
import type { Clock } from './platform/clock.ts'
import type { Database, Db } from './platform/database/pool.ts'
import type { AnswerCache } from './platform/http/answers/answer-cache.ts'
import type { Route } from './platform/http/endpoints/handle.ts'
import type { Server } from './platform/http/server.ts'
import type { Random } from './platform/ids.ts'
import type { CallOutgoing } from './platform/outgoing/outgoing.ts'
import type { UploadStore } from './platform/uploads/upload-store.ts'

/** What a feature offers. The commands of the operator use it without `start`. */
export interface Feature {
  personalData?: PersonalData
  /** The tables with texts that are encrypted with DIARY_KEY. */
  encryptedTables?: readonly EncryptedTable[]
  /** The files that rows of the feature name. */
  files?: FileKind
  /** Delete expired rows and unused files every hour, by what they delete. */
  purges?: Record<string, Purge>
  /** Load the contents of the events that the feature adds to inboxes. */
  inboxLoaders?: (vault: Vault) => Partial<InboxEventLoaders>
  /** Adds the listeners of the feature. Each feature names what it needs, and `app.ts` gives all of it: `never` allows both. */
  start: (needs: never) => Started
}

/** What `app.ts` gives to features. Each feature picks what it needs. */
export interface Needs {
  config: Config
  database: Database
  clock: Clock
  random: Random
  /** The secret of the installation, from which keys are made. */
  secret: string
  hashing: Hashing
  events: DomainEvents
  answers: AnswerCache
  vault: Vault
  uploads: UploadStore
  instance: Pick<Instance, 'settings' | 'version'>
  loaders: InboxEventLoaders
  /** What all features store of a person. */
  personalData: readonly PersonalData[]
  callOutgoing: CallOutgoing
}

/** Of a running server. */
export interface Started {
  routes?: readonly Route[]
  /** Adds what is no endpoint of the contract, after the endpoints of all features. */
  serve?: (server: Server) => void
}

/** What a feature does with its data of a person when a guest signs up and when an account is deleted. */
export interface PersonalData {
  /** From a guest to the new account of the same person. Left out where a guest stores nothing. */
  move?(db: Db, fromPersonId: string, toPersonId: string): Promise<void>
  /** Left out where foreign keys delete all. */
  remove?(db: Db, personId: string, removal: Removal): Promise<void>
}

export interface Removal {
  /** Takes work that waits until the removal is on disk. */
  afterCommit: (work: () => void) => void
  events: DomainEvents
}

export type Purge = (place: PurgePlace, signal: AbortSignal) => Promise<void>

/** Where files and the rows that name them are. */
export type FilesPlace = Pick<Needs, 'database' | 'uploads'>

export interface PurgePlace extends FilesPlace, Pick<Needs, 'personalData' | 'events'> {
  dataDir: string
}
