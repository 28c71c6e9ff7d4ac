export { openArticle, useIsOverFeed } from './article.ts'
export { pictureSize } from './picture-size.ts'
