/** Draws lengths with characters: eighths of a cell where the terminal may have them, whole marks in plain text. */

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** A part of the width. What is more than nothing shows at least a trace. */
export function bar(share: number, width: number, plain: boolean): string {
  const part = Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0))
  if (part === 0) return ''
  if (plain) return '#'.repeat(Math.max(1, Math.round(part * width)))
  const cells = Math.max(1, Math.round(part * width * 8))
  return `${'█'.repeat(Math.floor(cells / 8))}${eighths[cells % 8]}`
}

/** A bar in a frame that shows the whole as well. */
export function gauge(share: number, width: number, plain: boolean): string {
  const full = Math.round(Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0)) * width)
  const [on, off] = plain ? ['#', '-'] : ['█', '░']
  return `[${on.repeat(full)}${off.repeat(width - full)}]`
}
