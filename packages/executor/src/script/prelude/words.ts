/** Owns changing texts and checking what they are. Runs inside the machine as source text. */
export function words(): object {
  const removeDiacritics = (text: unknown) =>
    String(text)
      .normalize('NFD')
      .replace(/\p{M}+/gu, '')
      .normalize('NFC')
  const partsOf = (text: unknown) =>
    String(text)
      .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
      .split(/[^\p{L}\p{N}]+/u)
      .filter((part) => part !== '')
  const capital = (word: string) => {
    const [first = '', ...rest] = word
    return first.toUpperCase() + rest.join('').toLowerCase()
  }
  const joined = (text: unknown, by: string) =>
    partsOf(text)
      .map((part) => part.toLowerCase())
      .join(by)
  return {
    removeDiacritics,
    slugify: (text: unknown) =>
      removeDiacritics(text)
        .toLowerCase()
        .split(/[^\p{L}\p{N}]+/u)
        .filter((part) => part !== '')
        .join('-'),
    camelCase: (text: unknown) =>
      partsOf(text)
        .map((part, index) => (index === 0 ? part.toLowerCase() : capital(part)))
        .join(''),
    snakeCase: (text: unknown) => joined(text, '_'),
    kebabCase: (text: unknown) => joined(text, '-'),
    titleCase: (text: unknown) => String(text).replace(/[\p{L}\p{N}'’]+/gu, capital),
    truncate(text: unknown, length: unknown = 100, suffix: unknown = '…') {
      const letters = Array.from(String(text))
      if (letters.length <= Number(length)) return letters.join('')
      const end = Array.from(String(suffix)).slice(0, Number(length))
      return [...letters.slice(0, Math.max(0, Number(length) - end.length)), ...end].join('')
    },
    countWords: (text: unknown) => String(text).match(/[\p{L}\p{N}'’-]+/gu)?.length ?? 0,
    isEmail: (text: unknown) =>
      /^[^\s@"<>(),;:]{1,64}@[^\s@.]{1,63}(?:\.[^\s@.]{1,63}){1,8}$/.test(String(text)),
    isUrl: (text: unknown) =>
      /^https?:\/\/[^\s/?#.]+(?:\.[^\s/?#.]+)*(?::\d{1,5})?(?:[/?#]\S*)?$/i.test(String(text)),
    isJson(text: unknown) {
      if (typeof text !== 'string') return false
      try {
        JSON.parse(text)
        return true
      } catch {
        return false
      }
    },
    isUuid: (text: unknown) => /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(String(text)),
  }
}
