export { SupportButton } from './SupportButton.tsx'
