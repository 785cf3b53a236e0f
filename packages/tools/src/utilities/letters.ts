/**
 * Owns letters without their marks. Works on one character at a time: normalising a whole text takes time in the
 * square of the longest run of marks in it.
 */

export function withoutMarks(text: string): string {
  return text
    .replace(/[\u0300-\u036f]+/g, '')
    .replace(/[ßæœøłđıþðÆŒØŁĐÞÐẞħĦŋŊ]/g, (letter) => replacements[letter] ?? letter)
    .replace(/[\u00c0-\u024f\u0370-\u052f\u1e00-\u1fff]/g, (letter) =>
      letter.normalize('NFD').replace(/[\u0300-\u036f]/g, ''),
    )
}

/** For comparing without case: never longer or shorter than the text, so that positions stay what they are. */
export function foldCase(text: string): string {
  const lower = text.toLowerCase()
  if (lower.length === text.length) return lower
  return Array.from(text, (letter) => {
    const small = letter.toLowerCase()
    return small.length === letter.length ? small : letter
  }).join('')
}

/** The beginning of a text that splits no character in two. */
export function cut(text: string, length: number): string {
  const beginning = text.slice(0, length)
  return beginning.isWellFormed() ? beginning : beginning.slice(0, -1)
}

const replacements: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ı: 'i',
  þ: 'th',
  Þ: 'Th',
  ð: 'd',
  Ð: 'D',
  ħ: 'h',
  Ħ: 'H',
  ŋ: 'n',
  Ŋ: 'N',
}
