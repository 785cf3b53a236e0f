/** Owns what the address of the page says of the scripted gateway. */
export interface Script {
  readonly link: string
  readonly isPaused: boolean
  readonly isEmpty: boolean
  readonly isSlow: boolean
}
