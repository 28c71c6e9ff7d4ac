export { Agreement } from './Agreement.tsx'
export { loadInstanceForm } from './load-instance-form.ts'
export { loadInstanceLinks } from './load-instance-links.ts'
export { Welcome } from './Welcome.tsx'
