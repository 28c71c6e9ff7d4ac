export { RoomsPage } from './RoomsPage.tsx'
export { embeddedStory } from './room/embedded-story.ts'
