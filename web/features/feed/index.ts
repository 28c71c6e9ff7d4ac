export { useArticle } from './article.ts'
export { pictureSize } from './picture-size.ts'
