/** Owns the question which descriptors of this process a child would inherit unasked. */
import { readdirSync, readFileSync } from 'node:fs'

/**
 * Node opens everything of its own so that it closes at an exec; what does not was handed to this process by whoever
 * started it, and would be handed on to every child.
 */
export function inheritedDescriptors(): number[] {
  return readdirSync('/proc/self/fd')
    .map(Number)
    .filter((descriptor) => descriptor > 2 && isPassedOn(descriptor))
}

const CLOSE_ON_EXEC = 0o2000000

function isPassedOn(descriptor: number): boolean {
  try {
    const flags =
      /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1] ?? '0'
    return (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0
  } catch {
    // Closed since the folder was read: the descriptor of the folder itself.
    return false
  }
}
