import { getConfig } from '#contract/app/endpoints.ts'
import { type CallRow, everyone, row } from './row.ts'

export const appCalls: readonly CallRow[] = [row(getConfig, everyone)]
