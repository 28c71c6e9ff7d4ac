export { LiteraryMagazine } from './LiteraryMagazine.tsx'
