/** Owns what is known of a file that somebody made to do harm. */

export interface HostileFile {
  readonly name: string
  readonly bytes: Uint8Array
  /** A result that went well would mean that it was opened, which it must not be. */
  readonly refused?: true
}

/** Where they try to get: a listener of ours and a file that nobody may read. */
export interface Lures {
  readonly port: number
  readonly canary: string
}
