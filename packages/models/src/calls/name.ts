/** Owns what of a tool's name can be sent to a provider again. Providers refuse a whole request for one odd name. */
import { replyLimits } from './limits.ts'

const LONGEST = 64

/** Well-formed names stay as they are. */
export function safeName(name: string): string {
  const safe = name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, LONGEST)
  return safe === '' ? 'unnamed' : safe
}

export function hasHostileName({ name }: { readonly name: string }): boolean {
  return name.trim() === '' || name.length > replyLimits.nameLength || /[\p{Cc}\p{Cf}\p{Cs}]/u.test(name)
}
