export { ReadLaterButton } from './ReadLaterButton.tsx'
