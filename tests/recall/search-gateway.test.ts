import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settledRun } from '@countersign/harness'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installedPart } from '../embeddings/installed-part.ts'
import { type AssistantScenario, openAssistantScenario, waitFor } from '../scenarios/assistant-scenario.ts'

let scenario: AssistantScenario

beforeAll(async () => {
  const part = await installedPart()
  scenario = await openAssistantScenario(
    ({ messages, lastUser }) => {
      const [result] = messages.flatMap((message) => message.results)
      if (result) return { text: result.text }
      if (lastUser.startsWith('{'))
        return { calls: [{ name: 'use_tool', args: JSON.parse(lastUser) as Record<string, unknown> }] }
      if (!lastUser.startsWith('Search ')) return { text: 'Noted.' }
      const args = { query: lastUser.slice('Search '.length), collection: 'conversations', topK: 1 }
      return { calls: [{ name: 'use_tool', args: { tool: 'semantic_search', args } }] }
    },
    { environment: { COUNTERSIGN_TOOLS: 'vectorSearch' } },
  )
  const { data, workspace } = scenario.installation.paths
  mkdirSync(join(data, 'parts'), { recursive: true })
  symlinkSync(part, join(data, 'parts', 'local-embeddings'))
  writeFileSync(join(workspace, 'garden.md'), 'Cut the rose bushes back in February, above an outward bud.\n')
  await scenario.start()
})
afterAll(() => scenario?.close())

test('conversations, notes and files are found by meaning with the model of this machine', async () => {
  const said = await scenario.say('The dinghy is moored at the northern jetty.')
  await settledRun(scenario.client(), said.run)
  const note = { title: 'Tax', content: 'The accountant wants the receipts by March.' }
  const noted = await scenario.say(JSON.stringify({ tool: 'add_note', args: note }))
  await settledRun(scenario.client(), noted.run)
  const ask = async (q: string, where: string) =>
    (await scenario.client().search({ q, in: where, limit: '1' })).hits.map(({ text }) => text)
  await waitFor(async () => {
    expect(await ask('Where did I leave my little boat?', 'conversations')).toEqual([
      'The dinghy is moored at the northern jetty.',
    ])
    expect(await ask('pruning flowers', 'files')).toEqual([
      'Cut the rose bushes back in February, above an outward bud.',
    ])
    expect(await ask('deadline for the bookkeeping papers', 'notes')).toEqual([
      'The accountant wants the receipts by March.',
    ])
  })
  const asked = await scenario.say('Search Where did I leave my little boat?')
  const { run } = await settledRun(scenario.client(), asked.run)
  expect(run.text).toContain('northern jetty')
  await scenario.client().removeSession(said.session)
  await scenario.client().removeSession(asked.session)
  const left = await scenario.client().search({ q: 'Where did I leave my little boat?', in: 'conversations' })
  expect(JSON.stringify(left)).not.toContain('jetty')
})
