/**
 * Reads what a surface shows without the product's help: which characters are dangerous by their Unicode properties,
 * and which text the visible escapes stand for.
 */

/** What hides, reorders, ends a line or stands for nothing that is drawn; written from properties, not from a list. */
const dangerous =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\p{Bidi_Control}\p{Variation_Selector}]/u
/** The one selector that may stay: it colours the pictograph or the keycap before it. */
const emojiStyle = /\p{Extended_Pictographic}\ufe0f|[0-9#*]\ufe0f\u20e3/gu
const stack = /\p{M}{6,}/u
const baseless = /(?:^|[\s⟩])\p{M}/u
const blanks = /[\p{Zs}\t\u2800]{9,}/u
const escape = /⟨(?:U\+([0-9A-F]{4,6})|([␤␠]))(?:×(\d+))?⟩/gu
const forged = { '␠': ' ', '␤': '\n' } as const

/** What is wrong with a text that is shown, or null. Line breaks are the reader's to judge. */
export function dangerIn(shown: string): string | null {
  const text = shown.replaceAll('\n', ' ').replace(emojiStyle, '')
  const found = dangerous.exec(text)
  if (found) return `U+${(found[0].codePointAt(0) ?? 0).toString(16)} is shown raw`
  if (stack.test(text)) return 'more than five marks stand on one letter'
  if (baseless.test(text)) return 'a mark stands on nothing'
  return null
}

export function hasLongBlank(shown: string): boolean {
  return blanks.test(shown)
}

export function holdsEscape(shown: string): boolean {
  return shown.search(escape) >= 0
}

/** The text that the escapes stand for. */
export function unescaped(shown: string): string {
  return shown.replace(escape, (_all, point?: string, blank?: '␠' | '␤', times?: string) =>
    (blank === undefined ? String.fromCodePoint(Number.parseInt(point ?? '', 16)) : forged[blank]).repeat(
      Math.min(Number(times ?? 1), 1e7),
    ),
  )
}
