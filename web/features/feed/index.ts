export { useArticle } from './article.ts'
