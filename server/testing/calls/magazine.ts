import { getCurrentIssue, uploadIssue } from '#contract/magazine/endpoints.ts'
import { aPdf } from '../uploads.ts'
import { type CallRow, admins, everyone, row } from './row.ts'

export const magazineCalls: readonly CallRow[] = [
  row(uploadIssue, { ...admins, admin: 201 }, () => ({ file: aPdf() })),
  row(getCurrentIssue, everyone),
]
