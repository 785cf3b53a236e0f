/**
 * Owns what a program is refused for before it is ever run. A courtesy to whoever writes one: none of these words would
 * do anything, because the machine has nothing of the kind.
 */

const useless: readonly { readonly pattern: RegExp; readonly word: string; readonly instead: string }[] = [
  { pattern: /\bprocess\s*\.\s*exit\b/, word: 'process.exit', instead: 'Use return.' },
  { pattern: /\brequire\s*\(/, word: 'require()', instead: 'Use what utils has.' },
  { pattern: /\bimport\s*\(/, word: 'import()', instead: 'Use what utils has.' },
  { pattern: /\b__(?:dirname|filename)\b/, word: '__dirname and __filename', instead: 'There are no files.' },
  { pattern: /\bglobal(?:This)?\s*\./, word: 'global. and globalThis.', instead: 'Name things directly.' },
]

export function codeProblem(code: string): string | null {
  const found = useless.find(({ pattern }) => pattern.test(code))
  return found ? `The code uses ${found.word}, which is not there. ${found.instead}` : null
}
