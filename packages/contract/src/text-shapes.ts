/** Owns what text a person or a model may set. Refuses control characters and halves of characters. */
import { z } from 'zod'

const control = /[\p{Cc}\p{Zl}\p{Zp}]/u
const controlButLines = /[^\P{Cc}\n\r\t]/u

/** One line, shown as a name or a label. */
export const line = (longest: number) =>
  z
    .string()
    .refine(
      (text) => text.trim() !== '' && text.length <= longest && text.isWellFormed() && !control.test(text),
      `must be one line of 1 to ${longest} characters`,
    )

/** Text of many lines. */
export const prose = (longest: number) =>
  z
    .string()
    .refine(
      (text) => text.length <= longest && text.isWellFormed() && !controlButLines.test(text),
      `must be text of at most ${longest} characters`,
    )
