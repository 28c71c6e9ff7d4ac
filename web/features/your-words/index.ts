export { Export } from './Export.tsx'
export { YourWords } from './your-words-part.tsx'
