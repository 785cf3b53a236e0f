/** Owns the length of vectors: one, so that a product of two is their likeness. */

/** A vector without a direction stays what it is not: a number. */
export function unitVector(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values)
  return Float32Array.from(values, (value) => value / length)
}
