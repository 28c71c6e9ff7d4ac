export { pictureSize } from './picture-size.ts'
