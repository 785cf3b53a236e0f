/**
 * Owns the text that names a thing: a path, an address, a command. Refuses text that a reader could take for other
 * text, so that what is shown is what is meant.
 */
import { z } from 'zod'

const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/u
const invisibleButLines = /[^\P{Cc}\n\t]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/u

/** Normalising takes the square of the longest run of marks, so a long run is refused unread. */
const composed = (text: string) => !/\p{M}{31}/u.test(text) && text.normalize('NFC') === text

const sized = (longest: number) =>
  z.string().refine((text) => text.length > 0 && text.length <= longest, {
    error: `must have 1 to ${longest} characters`,
    abort: true,
  })

/** Names something: no control, direction or zero-width characters, and composed. */
export const nameText = (longest: number) =>
  sized(longest)
    .refine((text) => !invisible.test(text), 'contains an invisible character')
    .refine(composed, 'is not in Unicode NFC')

/** Like a name, but may have lines and tabs. */
export const commandText = (longest: number) =>
  sized(longest)
    .refine((text) => !invisibleButLines.test(text), 'contains an invisible character')
    .refine(composed, 'is not in Unicode NFC')

export const pathText = nameText(4096)
