export { createFeeds } from './feeds.ts'
export { feedsPersonalData } from './personal-data.ts'
export { addRobots } from './robots.ts'
export { addFeeds } from './routes.ts'
