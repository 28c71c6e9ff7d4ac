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
  searchEngines: boolean
  hstsSubdomains: boolean
  metricsToken: string | undefined
}
