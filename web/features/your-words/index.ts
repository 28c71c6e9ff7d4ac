export { YourWords } from './your-words-part.tsx'
