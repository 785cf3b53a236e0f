import { AgentKind } from '@countersign/contract'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { composePrompt } from './compose.ts'
import { contexts, plain } from './testing/contexts.ts'
import { expectGolden } from './testing/golden.ts'

test.each(AgentKind.options)('the prompt of a %s agent is the one in the golden file', (kind) => {
  const { text, label, sections } = composePrompt(contexts[kind])
  const head = [
    `# ${label.integrity}, ${label.confidentiality}${label.sources.map((source) => `, ${source}`).join('')}`,
    `# ${sections.map(({ name, length }) => `${name} ${length}`).join(', ')}`,
  ]
  expectGolden(`${kind}.txt`, `${[...head, text].join('\n')}\n`)
})

test('the assistant of a gateway where nothing is kept costs few tokens', () => {
  const { text, label, tokens } = composePrompt(plain)
  expectGolden('plain.txt', `${text}\n`)
  expect(label).toEqual({ integrity: 'operator', confidentiality: 'public', sources: [] })
  const counted = countTokens(text)
  process.stdout.write(`Tokens (o200k_base) of the plain prompt: ${counted}, reckoned ${tokens}.\n`)
  expect(counted).toBeLessThan(300)
})
