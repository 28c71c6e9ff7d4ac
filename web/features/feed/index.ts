export { readAllComments } from './comments.ts'
export { pictureSize } from './picture-size.ts'
