export { OpenidPart } from './OpenidPart.tsx'
