/** Owns reading how many tokens an answer of a model service took, whole or streamed, in the words of any of them. */

export interface TokenUse {
  readonly input: number
  readonly output: number
}

const words = {
  input: ['prompt_tokens', 'input_tokens', 'promptTokenCount'],
  cached: ['cache_creation_input_tokens', 'cache_read_input_tokens'],
  output: ['completion_tokens', 'output_tokens', 'candidatesTokenCount'],
  thought: ['thoughtsTokenCount'],
} as const

/**
 * A stream tells its use several times, rising; the highest counts. In a text of the model the quotes of such a word are
 * escaped, so that it counts for nothing; at worst more is counted than was used.
 */
export function tokensIn(answer: string): TokenUse {
  const highest = new Map<string, number>()
  for (const [, word = '', count = ''] of answer.matchAll(/"([a-zA-Z_]{5,40})"\s*:\s*(\d{1,12})\b/g))
    highest.set(word, Math.max(highest.get(word) ?? 0, Number(count)))
  const most = (names: readonly string[]) => Math.max(0, ...names.map((name) => highest.get(name) ?? 0))
  const sum = (names: readonly string[]) => names.reduce((all, name) => all + (highest.get(name) ?? 0), 0)
  return { input: most(words.input) + sum(words.cached), output: most(words.output) + sum(words.thought) }
}

/** Few characters are a token in code, and none is more than one. Of a request whose answer does not tell its use. */
export function likelyTokens(request: string, answer: string): TokenUse {
  const tokens = (text: string) => Math.ceil(text.length / 3)
  return { input: tokens(request), output: tokens(answer) }
}
