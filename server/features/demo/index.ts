export { fillDemo } from './demo.ts'
