/** Decodes the punycode part of one host label (RFC 3492). Refuses what no valid label could contain. */

const BASE = 36
const LOWEST_THRESHOLD = 1
const HIGHEST_THRESHOLD = 26
const SKEW = 38
const DAMP = 700
const FIRST_BIAS = 72
const FIRST_POINT = 0x80
const LONGEST_LABEL = 63

/** Takes the label without its `xn--`; answers `undefined` when it does not decode. */
export function decodePunycode(encoded: string): string | undefined {
  if (encoded.length > LONGEST_LABEL) return undefined
  const delimiter = encoded.lastIndexOf('-')
  const points: number[] = []
  for (let at = 0; at < delimiter; at += 1) {
    const unit = encoded.charCodeAt(at)
    if (unit >= FIRST_POINT) return undefined
    points.push(unit)
  }

  let point = FIRST_POINT
  let index = 0
  let bias = FIRST_BIAS
  let at = delimiter > 0 ? delimiter + 1 : 0
  while (at < encoded.length) {
    const before = index
    let weight = 1
    for (let step = BASE; ; step += BASE) {
      const digit = digitOf(encoded.charCodeAt(at))
      at += 1
      if (digit < 0) return undefined
      index += digit * weight
      if (index > Number.MAX_SAFE_INTEGER) return undefined
      const threshold = Math.min(Math.max(step - bias, LOWEST_THRESHOLD), HIGHEST_THRESHOLD)
      if (digit < threshold) break
      weight *= BASE - threshold
    }
    const length = points.length + 1
    bias = adapt(index - before, length, before === 0)
    point += Math.floor(index / length)
    index %= length
    if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return undefined
    points.splice(index, 0, point)
    index += 1
  }
  return String.fromCodePoint(...points)
}

function digitOf(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30 + 26
  if (unit >= 0x41 && unit <= 0x5a) return unit - 0x41
  if (unit >= 0x61 && unit <= 0x7a) return unit - 0x61
  return -1
}

function adapt(distance: number, length: number, first: boolean): number {
  let delta = Math.floor(distance / (first ? DAMP : 2))
  delta += Math.floor(delta / length)
  let bias = 0
  while (delta > ((BASE - LOWEST_THRESHOLD) * HIGHEST_THRESHOLD) / 2) {
    delta = Math.floor(delta / (BASE - LOWEST_THRESHOLD))
    bias += BASE
  }
  return bias + Math.floor(((BASE - LOWEST_THRESHOLD + 1) * delta) / (delta + SKEW))
}
