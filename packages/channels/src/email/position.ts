/** Owns up to where the inbox was read: the numbers hold for one life of the mailbox, and the time for all of them. Pure. */
import { z } from 'zod'

const Position = z.strictObject({
  validity: z.string().max(40),
  /** Everything up to this number is taken. */
  uid: z.int().min(0),
  /** When the last of them came. */
  at: z.iso.datetime(),
})
export type Position = z.infer<typeof Position>

/** Undefined at the first start, and where it is not to be read. */
export function readPosition(state: string | null): Position | undefined {
  if (state === null) return undefined
  try {
    return Position.safeParse(JSON.parse(state)).data
  } catch {
    return undefined
  }
}

export function writePosition(position: Position): string {
  return JSON.stringify(position)
}
