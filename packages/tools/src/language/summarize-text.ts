/** Sums a text up; a long one in pieces first, and then what came of them. */
import { z } from 'zod'
import { succeeded } from '../result.ts'
import { brief } from '../utilities/computing.ts'
import { piecesOf } from './pieces.ts'
import { type AskForm, textInput, working } from './working.ts'

const lengths = {
  short: 'in two or three sentences',
  medium: 'in one paragraph',
  long: 'in several paragraphs',
} as const

export const summarizeText = working({
  name: 'summarize_text',
  version: '1',
  description: 'Summarize a text, as sentences or as points.',
  group: 'dataExtraction',
  tags: ['summary', 'sum up', 'shorten', 'tldr', 'key points', 'gist', 'condense'],
  input: z.strictObject({
    text: textInput,
    length: z.enum(['short', 'medium', 'long']).default('medium'),
    style: z.enum(['sentences', 'points']).default('sentences'),
  }),
  describe: ({ text }) => `Summarize “${brief(text)}”`,
  async work({ text, length, style }, ask) {
    const form = style === 'points' ? ', as a list of points in Markdown' : ''
    const order = `Summarize the text ${lengths[length]}${form}, in its own language. Say only what it says.`
    const summary = await shortened(text, ask)
    const told = await summaryOf(summary, order, ask)
    return succeeded(told, `Summarized: ${brief(told)}`)
  },
})

const parts =
  'This is one part of a longer text. Write down what it says that a summary of the whole needs, in at most 200 words and in its own language.'

/** Until it fits into one question. Each round makes less of it, so there is a last one. */
async function shortened(text: string, ask: AskForm): Promise<string> {
  const pieces = piecesOf(text)
  if (pieces.length <= 1) return text
  const made: string[] = []
  for (const piece of pieces) made.push((await summaryOf(piece, parts, ask)).slice(0, longestPart))
  return shortened(made.join('\n\n'), ask)
}

const longestPart = 2_000

async function summaryOf(text: string, instruction: string, ask: AskForm): Promise<string> {
  const { summary } = await ask({
    instruction,
    text,
    form: z.strictObject({ summary: z.string().min(1) }),
    mostTokens: 1_500,
  })
  return summary
}
