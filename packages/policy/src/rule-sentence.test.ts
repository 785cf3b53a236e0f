import { policyAttributes } from '@countersign/contract'
import { expect, it } from 'vitest'
import { compilePolicies } from './compile.ts'
import { sayRule } from './rule-sentence.ts'
import { schemaText } from './schema.ts'

const sayings: readonly [rule: string, english: string, effect: string][] = [
  [
    'permit (principal, action, resource == Tool::"http_request") when { context.tier <= 2 && context.hosts == ["api.example"] };',
    'Allow calls of http_request when it is “Crosses a boundary” or less and it reaches only api.example.',
    'allow',
  ],
  [
    'forbid (principal, action, resource == Tool::"write_file") when { context.folders.contains("letters") } unless { context.approved };',
    'Ask before calls of write_file when it touches something in letters.',
    'ask',
  ],
  [
    'forbid (principal, action, resource in Category::"files") when { context.folders.contains("diary") || context.paths.contains("diary") };',
    'Refuse calls of the group files when it touches something in diary or it touches diary.',
    'refuse',
  ],
  [
    'forbid (principal in RequesterKind::"schedule", action, resource) when { !context.reads && (context.outward || context.tier > 1) } unless { context.approved || context.granted };',
    'Ask before any call that an automation asks for when it reads nothing and (others see it or it is more than “Undoable”), unless a grant covers it.',
    'ask',
  ],
  [
    'forbid (principal, action, resource) when { context.agent == "coder" && context.changes } unless { context.approved };',
    'Ask before any call when the agent is coder and it changes something. It holds also for work that they hand on.',
    'ask',
  ],
  [
    'permit (principal, action, resource) when { context.agent == "coder" && context.tier <= 2 };',
    'Allow any call when the agent is coder and it is “Crosses a boundary” or less.',
    'allow',
  ],
  [
    'permit (principal, action, resource) when { context.tier <= 2 && context.server == "home" && context.serverTool == "HassLightSet" };',
    'Allow any call when it is “Crosses a boundary” or less and the server is home and the tool of the server is HassLightSet.',
    'allow',
  ],
]

it.each(sayings)('reads %s', (text, sentence, effect) => {
  const compiled = compilePolicies({ autonomy: 'medium', files: [{ name: 'mine.cedar', text }] })
  if (compiled.kind === 'invalid') throw new Error(JSON.stringify(compiled.problems))
  const [rule] = [...compiled.set.rules.values()].filter(({ file }) => file === 'mine.cedar')
  if (!rule) throw new Error('there is no rule')
  expect(sayRule(rule)).toEqual({ effect, sentence })
  expect(sayRule(rule, 'de').sentence).not.toBe(sentence)
  compiled.set.dispose()
})

it('has words for every rule that holds at every level', () => {
  const compiled = compilePolicies({ autonomy: 'medium', files: [] })
  if (compiled.kind === 'invalid') throw new Error(JSON.stringify(compiled.problems))
  const said = [...compiled.set.rules.values()].flatMap((rule) => [
    sayRule(rule).sentence,
    sayRule(rule, 'de').sentence,
  ])
  expect(said.filter((sentence) => sentence.includes('{'))).toEqual([])
  compiled.set.dispose()
})

it('leaves nothing out that it has no words for', () => {
  const text = 'permit (principal, action, resource) when { context.tier + 1 < 3 };'
  const compiled = compilePolicies({ autonomy: 'low', files: [{ name: 'odd.cedar', text }] })
  if (compiled.kind === 'invalid') throw new Error(JSON.stringify(compiled.problems))
  const rule = [...compiled.set.rules.values()].find(({ file }) => file === 'odd.cedar')
  expect(rule && sayRule(rule).sentence).toContain('"+"')
  compiled.set.dispose()
})

it('offers for completion what the schema knows', () => {
  const known = [...schemaText.matchAll(/^ {4}(\w+): ([\w<>]+),$/gm)].map(([, name, type]) => [name, type])
  expect(Object.entries(policyAttributes)).toEqual(known)
})
