import { toBase64url } from '#contract/rooms/credit/base64url.ts'
import { getReceipt, proofType } from '#contract/rooms/credit/endpoints.ts'
import { storyTitle } from '#contract/rooms/saved-story.ts'
import { Download } from '#server/platform/http/answers/download.ts'
import { handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import { sameForAll } from '#server/platform/http/endpoints/policy.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { publicAddress } from '#server/platform/http/public-address.ts'
import type { Server } from '#server/platform/http/server.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { roomWriters } from '../policies.ts'
import { mayRead } from '../policy.ts'
import { findRoom } from '../queries.ts'
import { listSealKeys } from './keys.ts'
import { findReceipt, hasWritten, newestHead } from './receipts.ts'
import type { SealDeps } from './seals.ts'

const receipts: LimitRule = { name: 'receipts', count: 20, seconds: 60, by: 'person' }

export function creditRoutes(deps: SealDeps): Route[] {
  return [
    handle(getReceipt, roomWriters, { limits: [receipts] }, async (call) => {
      const { db, viewer, params, fail } = call
      const room = (await findRoom(db, viewer.id, params.id)) ?? fail('RoomNotFound')
      // A writer whom the creator has removed keeps the proof of the own passages.
      const mayProve = mayRead(room) || (await hasWritten(db, room.id, viewer.id))
      if (!mayProve) fail('PrivateRoom')
      const newest = await newestHead(db, deps, room)
      if ('refusal' in newest) return fail(newest.refusal)
      const own = { roomId: room.id, personId: viewer.id, ...newest }
      const receipt = (await findReceipt(db, own)) ?? fail('NothingWritten')
      return new Download({
        type: proofType,
        title: `${storyTitle(room)} receipt`,
        plainName: 'receipt',
        extension: 'json',
        content: Buffer.from(JSON.stringify(receipt)),
      })
    }),
  ]
}

/** Serves the public keys of this installation, so that a reader can compare the key of a seal. */
export function addSealKeys({ app }: Server, { config, database }: SealDeps & { database: Database }) {
  app.get('/.well-known/zimmer-seal.json', { config: { policy: sameForAll } }, async (_request, reply) => {
    const keys = await listSealKeys(database)
    reply.header('cache-control', 'public, no-cache')
    return {
      origin: publicAddress(config, ''),
      keys: keys.map(({ publicKey, createdAt }) => ({ key: toBase64url(publicKey), since: createdAt })),
    }
  })
}
