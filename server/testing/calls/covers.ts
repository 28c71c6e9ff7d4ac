import { uploadCover } from '#contract/covers/endpoints.ts'
import { aPng } from '../uploads.ts'
import { type CallRow, admins, row } from './row.ts'

export const coversCalls: readonly CallRow[] = [
  row(uploadCover, { ...admins, admin: 201 }, () => ({ file: aPng() })),
]
