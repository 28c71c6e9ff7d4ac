import { type AppConfig, getConfig } from '#contract/app/endpoints.ts'
import { useEndpoint } from './api.ts'

/** What holds until the settings of the instance are known; they come along in the page. */
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
