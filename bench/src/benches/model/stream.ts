/** Owns what is measured of one streamed reply, whichever way it came. */

export interface Stream {
  /** Names it among the requests of the model. */
  readonly words: string
  /** Milliseconds of the time of day, with fractions. */
  readonly beganAt: number
  /** Since then, in milliseconds: until the first characters, and until the reply was whole. */
  readonly firstMs: number
  readonly totalMs: number
  /** That came while it streamed. */
  readonly characters: number
}

export type Ask = (words: string, lane: number) => Promise<Stream>

export function timeOfDay(): number {
  return performance.timeOrigin + performance.now()
}
