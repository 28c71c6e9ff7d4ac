export { createFeeds } from './feeds.ts'
export { feedsPersonalData } from './personal-data.ts'
export { addFeeds } from './routes.ts'
