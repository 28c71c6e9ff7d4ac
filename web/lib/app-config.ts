import { type AppConfig, getConfig } from '#contract/app/endpoints.ts'
import { useEndpoint } from './api.ts'

/** Used until the settings of the instance are known. They are embedded in the page. */
const usual: AppConfig = {
  timeZone: 'UTC',
  today: new Date().toISOString().slice(0, 10),
  supportEmail: 'support@zimmer.example',
  companyName: 'Z!mmer',
  submissionPortal: 'https://submissions.zimmer.example/',
  demoMode: false,
}

export function useAppConfig(): AppConfig {
  const config = useEndpoint(getConfig)
  return config.data ?? usual
}
