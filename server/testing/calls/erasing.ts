import { erasePassage, erasePost } from '#contract/erasing/endpoints.ts'
import { type CallRow, admins, row } from './row.ts'

export const erasingCalls: readonly CallRow[] = [
  row(erasePost, admins, ({ published }) => ({
    params: { id: published },
    input: { reason: 'Names a neighbour.' },
  })),
  row(erasePassage, admins, ({ room, passage }) => ({
    params: { id: room, passageId: passage },
    input: { reason: 'Names a neighbour.' },
  })),
]
