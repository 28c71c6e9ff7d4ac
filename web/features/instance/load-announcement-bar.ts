export const loadAnnouncementBar = async () => (await import('./AnnouncementBar.tsx')).AnnouncementBar
