export { openArticle } from './article.ts'
export { pictureSize } from './picture-size.ts'
