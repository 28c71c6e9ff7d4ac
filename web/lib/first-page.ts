import type { QueryClient } from '@tanstack/react-query'
import type { FirstPage } from '#contract/app/page-data.ts'

// In a file of its own, because the page that a person opens first rarely needs the rest of `pages.ts`.

/** Part of the key of a list that is read page by page. */
export const listKind = 'pages'

/** Stores the first page of a list, by the address of its call. */
export const storeFirstPage = (client: QueryClient, path: string, page: FirstPage): void =>
  void client.setQueryData([path, listKind], { pages: [page], pageParams: [undefined] })
