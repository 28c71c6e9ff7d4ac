import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { Id } from '#contract/schemas.ts'

const params = z.object({ id: Id })

/** The type of the file of a seal, and of a receipt. */
export const proofType = 'application/json; charset=utf-8'

export const getRoomSeal = endpoint({
  summary: 'Answers the seal of a finished story as a file.',
  method: 'GET',
  path: '/api/zimmers/:id/seal',
  params,
  output: z.unknown(),
  answersFiles: [proofType],
  errors: ['RoomNotFound', 'PrivateRoom', 'RoomStillOpen', 'NoProof', 'DiaryLocked'],
})

export const getSealFingerprint = endpoint({
  summary: 'Answers the fingerprint of the seal of a finished story.',
  description: 'It is null for a story that is older than the seals.',
  method: 'GET',
  path: '/api/zimmers/:id/fingerprint',
  params,
  output: z.object({ fingerprint: z.nullable(z.string()) }),
  errors: ['RoomNotFound', 'PrivateRoom', 'RoomStillOpen', 'DiaryLocked'],
})

export const getReceipt = endpoint({
  summary: 'Answers the receipt of the caller for the own passages in a room as a file.',
  method: 'GET',
  path: '/api/zimmers/:id/receipt',
  params,
  output: z.unknown(),
  answersFiles: [proofType],
  errors: ['RoomNotFound', 'PrivateRoom', 'NoProof', 'NothingWritten', 'DiaryLocked'],
})
