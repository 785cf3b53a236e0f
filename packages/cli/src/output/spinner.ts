/** Owns the mark that turns while something goes on. */
const frames = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'

export function spinner(now: Date): string {
  return frames[Math.floor(now.getTime() / 120) % frames.length] ?? ''
}
