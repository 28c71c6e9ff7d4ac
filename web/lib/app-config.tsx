import { createContext, type ReactNode, useContext } from 'react'
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
  hasPosts: true,
  publishesPremium: true,
}

const Config = createContext(usual)

/** Subscribes to the settings once for all components: a subscription for each post of a day would be slow. */
export function AppConfigProvider({ children }: { children: ReactNode }) {
  const config = useEndpoint(getConfig)
  return <Config value={config.data ?? usual}>{children}</Config>
}

export const useAppConfig = (): AppConfig => useContext(Config)

type Switch = NonNullable<AppConfig['instance']>['off'][number]

/** Whether the instance has a part that admins can switch off. */
export const useHas = (name: Switch): boolean => !useAppConfig().instance?.off.includes(name)
