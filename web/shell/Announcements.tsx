import { loadAnnouncementBar } from '#web/features/instance/index.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { failedLine, part } from '#web/ui/part.tsx'

/** The place above every page. Without an announcement nothing is loaded. */
export const Announcements = () => useAppConfig().instance?.announcement && <AnnouncementBar />

export const AnnouncementBar = part(loadAnnouncementBar, failedLine)
