export { NoticesPart } from './notices-part.tsx'
