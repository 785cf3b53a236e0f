/** What the embedding process and its owner say to each other. */

export type ToWorker =
  | { readonly kind: 'embed'; readonly id: number; readonly texts: readonly string[] }
  /** Nobody waits for it any more. */
  | { readonly kind: 'drop'; readonly id: number }

/** One answer for each batch. */
export type FromWorker =
  /** In the order of the texts. */
  | { readonly kind: 'embedded'; readonly id: number; readonly vectors: readonly Float32Array[] }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }
  | { readonly kind: 'dropped'; readonly id: number }
