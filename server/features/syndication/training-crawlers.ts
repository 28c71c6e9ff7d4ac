/**
 * The names by which crawlers that collect texts to train models read `robots.txt`. Crawlers of search engines and of link
 * previews are none of them, nor are programs that fetch a page because a person asks for it.
 */
export const trainingCrawlers = [
  'AI2Bot',
  'Ai2Bot-Dolma',
  'Amazonbot',
  'anthropic-ai',
  'Applebot-Extended',
  'Bytespider',
  'CCBot',
  'ClaudeBot',
  'cohere-training-data-crawler',
  'Diffbot',
  'FacebookBot',
  'Google-Extended',
  'GPTBot',
  'ICC-Crawler',
  'ImagesiftBot',
  'img2dataset',
  'Kangaroo Bot',
  'meta-externalagent',
  'omgili',
  'PanguBot',
  'SBIntuitionsBot',
  'Timpibot',
  'VelenPublicWebCrawler',
  'Webzio-Extended',
] as const
