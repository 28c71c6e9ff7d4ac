export { StorySeal } from './StorySeal.tsx'
