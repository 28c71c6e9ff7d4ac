import { deleteOpenidLink, getOpenidLink } from '#contract/openid/endpoints.ts'
import { type CallRow, people, row } from './row.ts'

export const openidCalls: readonly CallRow[] = [row(getOpenidLink, people), row(deleteOpenidLink, people)]
