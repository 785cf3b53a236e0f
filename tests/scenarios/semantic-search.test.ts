import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settledRun } from '@countersign/harness'
import type { ScriptReply, ScriptTurn } from '@countersign/model-servers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MediaServer, startMediaServer } from '../model-servers/src/media-server.ts'
import { type AssistantScenario, openAssistantScenario, waitFor } from './assistant-scenario.ts'

let scenario: AssistantScenario
let media: MediaServer

/** The operator says which call the model makes. */
function script({ messages, lastUser }: ScriptTurn): ScriptReply {
  const [result] = messages.flatMap((message) => message.results)
  if (result) return { text: result.text }
  if (!lastUser.startsWith('{')) return { text: 'Noted.' }
  return { calls: [{ name: 'use_tool', args: JSON.parse(lastUser) as Record<string, unknown> }] }
}

beforeAll(async () => {
  media = await startMediaServer()
  scenario = await openAssistantScenario(script, { environment: { COUNTERSIGN_TOOLS: 'vectorSearch' } })
  await scenario.start()
})
afterAll(async () => {
  await scenario?.close()
  await media?.close()
})

async function call(tool: string, args: object) {
  const { run, session } = await scenario.say(JSON.stringify({ tool, args }))
  return { session, ...(await settledRun(scenario.client(), run)) }
}
const search = async (q: string, where: string) =>
  (await scenario.client().search({ q, in: where })).hits.map(({ text }) => text)

test('what was said, noted and written is found by words where there is no model, and says so', async () => {
  const { session, run } = await scenario.say('The dinghy lies at the pier')
  await settledRun(scenario.client(), run)
  const noted = await call('add_note', { title: 'Boats', content: 'A dinghy needs paint' })
  writeFileSync(join(scenario.installation.paths.workspace, 'boats.md'), 'Our dinghy is green\n')
  await scenario.killAndStart()
  await waitFor(async () => expect(await search('dinghy', 'files')).toEqual(['Our dinghy is green']))
  expect(await search('dinghy', 'notes')).toEqual(['A dinghy needs paint'])
  const { hits, wordsAlone } = await scenario.client().search({ q: 'dinghy' })
  expect([...new Set(hits.map(({ collection }) => collection))].toSorted()).toEqual([
    'conversations',
    'files',
    'notes',
  ])
  expect(await search('pier', 'conversations')).toEqual(['The dinghy lies at the pier'])
  expect(wordsAlone).not.toBeNull()
  await expect(scenario.client().search({ q: 'dinghy', in: 'nowhere' })).rejects.toThrow('no collection')

  for (const each of [session, noted.session]) await scenario.client().removeSession(each)
  expect(await search('dinghy', 'conversations')).toEqual([])
  const asked = await call('semantic_search', { query: 'dinghy', collection: 'conversations' })
  expect(asked.run.text).not.toContain('pier')
})

test('a collection is made, filled, searched and emptied; vectors cost the run, and what was deleted comes back', async () => {
  await scenario.client().addProvider({ name: 'box', kind: 'openai-compatible', url: `${media.url}/v1` })
  await scenario.client().setRoute('embeddings', { strategy: 'fallback', models: ['box/embed-small'] })
  expect((await call('create_vector_collection', { name: 'boats' })).approvals).toEqual([])
  const vectors = [
    { id: 'a', text: 'green dinghy' },
    { id: 'b', text: 'a long text about ovens and bread' },
  ]
  const put = await call('upsert_vectors', { collection: 'boats', vectors })
  expect(put.calls.map(({ tool, tier, outcome }) => [tool, tier, outcome])).toEqual([
    ['upsert_vectors', 1, 'ok'],
  ])
  expect(put.run.text).toContain('embedded with box/embed-small')
  const { lines } = await scenario.client().costs({ by: 'run' })
  // Twice for the conversation, once for the vectors.
  expect(lines.find(({ key }) => key === put.run.id)).toMatchObject({ calls: 3 })
  expect(
    (await call('semantic_search', { query: 'green dinghy', collection: 'boats', topK: 1 })).run.text,
  ).toContain('"id":"a"')

  const deleted = await call('delete_vectors', { collection: 'boats', ids: ['a'] })
  expect(await search('dinghy', 'boats')).not.toContain('green dinghy')
  const undone = await scenario.client().undoRun(deleted.run.id)
  await settledRun(scenario.client(), undone.run)
  await waitFor(async () => expect((await search('green dinghy', 'boats'))[0]).toBe('green dinghy'))
})
