/** What the embedding thread and its owner say to each other. */

export interface ThreadData {
  /** The file of the library. */
  readonly library: string
  /** The folder that holds the model's files. */
  readonly model: string
  readonly flags: SharedArrayBuffer
}

/** Places in the shared flags. */
export const busyFlag = 0
export const stopFlag = 1

export type ToThread =
  | { readonly kind: 'embed'; readonly id: number; readonly texts: readonly string[] }
  /** Nobody waits for it any more; it is answered by nothing. */
  | { readonly kind: 'drop'; readonly id: number }
  /** Everything that is left is dropped. */
  | { readonly kind: 'end' }

export type FromThread =
  | { readonly kind: 'ready' }
  /** One vector after the other, in the order of the texts. */
  | { readonly kind: 'embedded'; readonly id: number; readonly vectors: Float32Array<ArrayBuffer> }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }
