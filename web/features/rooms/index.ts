import { failedPage, part } from '#web/ui/part.tsx'

export { embeddedStory } from './room/embedded-story.ts'

export const RoomsPage = part(async () => (await import('./RoomsPage.tsx')).RoomsPage, failedPage, null)
