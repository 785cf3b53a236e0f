/**
 * Owns the shapes of addresses: mail and web. Each search begins only where a word begins and reads each character
 * a fixed number of times.
 */
export function isEmail(value: string): boolean {
  return value.length <= 254 && wholeEmail.test(value)
}

export function emailsIn(text: string): string[] {
  return [...text.matchAll(emails)].map(([found]) => found).filter(isEmail)
}

/** Only addresses that a browser opens: http and https with a host. */
export function readWebAddress(value: string): URL | undefined {
  if (!/^https?:\/\//i.test(value) || /\s/.test(value) || !URL.canParse(value)) return undefined
  const url = new URL(value)
  return url.hostname === 'localhost' || /[.:]/.test(url.hostname) ? url : undefined
}

export function webAddressesIn(text: string): string[] {
  return [...text.matchAll(webAddresses)]
    .map(([found]) => withoutTail(found))
    .filter((found) => readWebAddress(found) !== undefined)
}

const wholeEmail =
  /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}][\p{L}\p{N}-]{0,61}[\p{L}\p{N}]$/u
const emails =
  /(?<![\p{L}\p{N}.!#$%&'*+=?^_`{|}~-])[\p{L}\p{N}!#$%&'*+=?^_`{|}~-][\p{L}\p{N}.!#$%&'*+=?^_`{|}~-]{0,63}@[\p{L}\p{N}][\p{L}\p{N}.-]{0,252}[\p{L}\p{N}]/gu
const webAddresses = /\bhttps?:\/\/[^\s<>"'`{}|\\^]{1,2000}/gi

/** Full stops and brackets at the end belong to the sentence, unless the bracket was opened inside. */
function withoutTail(found: string): string {
  const unopened = { ')': surplus(found, '(', ')'), ']': surplus(found, '[', ']') }
  let end = found.length
  for (; end > 0; end -= 1) {
    const last = found[end - 1] ?? ''
    const isBracket = (last === ')' || last === ']') && unopened[last] > 0
    if (isBracket) unopened[last] -= 1
    else if (!'.,;:!?*'.includes(last)) break
  }
  return found.slice(0, end)
}

function surplus(text: string, opening: string, closing: string): number {
  return text.split(closing).length - text.split(opening).length
}
