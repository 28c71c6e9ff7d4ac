export { encryptedMessages } from './change-key.ts'
export { messageEventLoaders } from './events.ts'
export { findMessageToReport } from './reporting.ts'
export { messageRoutes } from './routes.ts'
