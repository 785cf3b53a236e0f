/** Owns the parts of a grant's sentence: what it allows, and what it warns of. Terms stand beside it on every page. */

const terms =
  / (in this run|in this session|for this agent|for this goal|anywhere), (as often as needed|up to \d+ times), for .+$/

export function allowedPart(sentence: string): string {
  return sentence.replace(terms, '')
}

/** Empty where a task that has read untrusted content asks again. */
export function warningPart(sentence: string): string {
  const warning = /; (also in a task that has read untrusted content: .+)$/.exec(sentence)?.[1] ?? ''
  return warning === '' ? '' : `${warning.charAt(0).toUpperCase()}${warning.slice(1)}.`
}
