/** The public pages whose texts admins write. Each has its name as its path. */
export const instancePages = ['terms', 'privacy', 'rules'] as const
export type InstancePage = (typeof instancePages)[number]

export const instancePageTitles: Record<InstancePage, string> = {
  terms: 'Terms',
  privacy: 'Privacy',
  rules: 'Rules',
}

export const instancePagePath = (page: InstancePage): string => `/${page}`
