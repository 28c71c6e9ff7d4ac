import type { PlatformSettings } from '../settings.ts'

/**
 * The address of a path as other machines reach it, for feeds, previews and sitemaps. It never comes from the `Host` header,
 * which a caller chooses.
 */
export const publicAddress = (
  { publicOrigin, port }: Pick<PlatformSettings, 'publicOrigin' | 'port'>,
  path: string,
): string => `${publicOrigin ?? `http://localhost:${port}`}${path}`
