/** Owns where a text names us, as people do where the platform has no mentions of its own: the name as a whole word. Pure. */

export interface Mention {
  readonly isThere: boolean
  /** Without our name where the text begins with it. */
  readonly text: string
}

/** `letter` is what a name may go on with. */
export function mentionOf(text: string, name: string, letter: RegExp): Mention {
  const low = text.toLowerCase()
  const wanted = name.toLowerCase()
  // A letter that is another length in small would shift every place behind it.
  const whole = low.length === text.length ? low : text
  for (let at = whole.indexOf(wanted); at !== -1; at = whole.indexOf(wanted, at + 1)) {
    const isWord = !letter.test(whole.charAt(at - 1)) && !letter.test(whole.charAt(at + wanted.length))
    if (!isWord) continue
    const isCall = /^@?$/.test(text.slice(0, at).trim())
    const rest = text.slice(at + wanted.length).replace(/^(?:[:,]\s*|\s+)/, '')
    return { isThere: true, text: isCall && rest !== '' ? rest : text }
  }
  return { isThere: false, text }
}
