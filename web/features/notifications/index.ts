export { showOnDesktop } from './desktop.ts'
export { useNotifier } from './use-notifier.ts'

export const loadBell = async () => (await import('./Bell.tsx')).Bell
