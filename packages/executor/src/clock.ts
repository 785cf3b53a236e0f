/**
 * Owns the two clocks of the executor. The wall clock says when a permit was decided; the steady clock cannot be set,
 * so a wall clock that jumps against it voids every permit that was outstanding.
 */

export interface Clocks {
  /** Milliseconds since 1970. */
  wall(): number
  /** Milliseconds since any fixed point; never set. */
  steady(): number
}

export interface PermitClock {
  /** The later of what the two clocks say. */
  now(): number
  /** A permit decided at or before this moment was outstanding when the wall clock jumped. */
  voidedUntil(): number
}

export const largestSkewMs = 5000

export const systemClocks: Clocks = { wall: () => Date.now(), steady: () => performance.now() }

export function createPermitClock(clocks: Clocks): PermitClock {
  let anchor = { wall: clocks.wall(), steady: clocks.steady() }
  let voided = Number.NEGATIVE_INFINITY
  const look = () => {
    const wall = clocks.wall()
    const steady = clocks.steady()
    const expected = anchor.wall + (steady - anchor.steady)
    if (Math.abs(wall - expected) <= largestSkewMs) return Math.max(wall, expected)
    voided = Math.max(voided, expected)
    anchor = { wall, steady }
    return wall
  }
  return {
    now: look,
    voidedUntil() {
      look()
      return voided
    },
  }
}
