/** Owns how a text becomes messages that fit: cut where a reader pauses, with a block of code closed and opened again. Pure. */

export interface TextLimit {
  readonly most: number
  readonly unit: 'characters' | 'bytes'
}

const fence = '```'
const closing = `\n${fence}`

/** Never empty pieces; together they say what the text says, in order. */
export function splitText(text: string, limit: TextLimit): string[] {
  const size = sizeIn(limit.unit)
  const pieces: string[] = []
  let rest = text.trim()
  let opened = ''
  while (rest !== '') {
    const whole = opened + rest
    if (size(whole) <= limit.most) {
      pieces.push(whole)
      break
    }
    const end = cutAt(rest, limit.most - size(opened) - size(closing), size)
    const piece = rest.slice(0, end).trimEnd()
    const still = openFence(opened + piece)
    pieces.push(`${opened}${piece}${still === '' ? '' : closing}`)
    opened = still === '' ? '' : `${still}\n`
    rest = still === '' ? rest.slice(end).trimStart() : rest.slice(end).replace(/^\n/, '')
  }
  return pieces
}

export function sizeIn(unit: TextLimit['unit']): (text: string) => number {
  return unit === 'bytes' ? (text) => new TextEncoder().encode(text).byteLength : (text) => text.length
}

/** Where to cut, at most so much in: after a paragraph, a line, a sentence or a word that is not too early, or between two characters. */
function cutAt(text: string, room: number, size: (text: string) => number): number {
  const most = longestPrefix(text, Math.max(room, 4), size)
  for (const mark of ['\n\n', '\n', '. ', ' ']) {
    const at = text.lastIndexOf(mark, most - mark.length)
    if (at > most / 2) return at + mark.length
  }
  return most
}

/** The most characters from the beginning that fit, without half of one. */
function longestPrefix(text: string, room: number, size: (text: string) => number): number {
  let low = 1
  let high = Math.min(text.length, room)
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (size(text.slice(0, middle)) <= room) low = middle
    else high = middle - 1
  }
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(low - 1))
  return isHalf ? Math.max(low - 1, 0) || 2 : low
}

/** The line that opened a block of code which is not closed yet; empty where none is open. */
function openFence(text: string): string {
  let open = ''
  for (const line of text.split('\n')) {
    if (!line.trimStart().startsWith(fence)) continue
    open = open === '' ? line.trim().slice(0, 40) : ''
  }
  return open
}
