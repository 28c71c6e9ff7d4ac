import type { Allowance } from './http/bounds/allowances.ts'

/** The settings of the operator that the platform reads. */
export interface PlatformSettings {
  dataDir: string
  databaseUrl: string | undefined
  redisUrl: string | undefined
  publicOrigin: string | undefined
  supportEmail: string
  port: number
  trustProxy: string | undefined
  timeZone: string
  limitsRates: boolean
  /** More registrations for a network, for some time. */
  registrationAllowances?: readonly Allowance[] | undefined
  searchEngines: boolean
  hstsSubdomains: boolean
  metricsToken: string | undefined
}
