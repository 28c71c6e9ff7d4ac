/** Replaces the `MutationCache` of the library, which would be 1 KB of the first page: `useAction` makes all changes. */
export class MutationCache {
  clear(): void {}
  async resumePausedMutations(): Promise<void> {}
}
