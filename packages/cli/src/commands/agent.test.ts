import { errorCatalogue } from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Context, createContext, type Handler, type OptionValues } from '../context.ts'
import { written } from '../output/answer.ts'
import { failureOf } from '../output/failure.ts'
import { agentView, type FakeAgents, fakeAgents } from '../testing/agents.ts'
import { fakeClient } from '../testing/fake-client.ts'
import { usualFlags } from '../testing/flags.ts'
import { type TestHome, testHome, testHost } from '../testing/home.ts'
import {
  add,
  file,
  learnings,
  list,
  profile,
  prompt,
  remove,
  reset,
  resync,
  set,
  show,
  team,
  use,
} from './agent.ts'
import { agentRows } from './rows/agent.ts'

let home: TestHome
let fake: FakeAgents
let client: Client
beforeEach(() => {
  home = testHome()
  fake = fakeAgents()
  client = fakeClient((request) => fake.answer(request))
})
afterEach(() => home.remove())

async function run(
  handler: Handler,
  args: string[],
  options: OptionValues = {},
  given: { pipe?: string; json?: boolean } = {},
) {
  const host = testHost({ home, clock: () => new Date('2026-08-01T12:00:00Z') })
  host.typed.end(given.pipe ?? '')
  const flags = { ...usualFlags, json: given.json === true }
  const context = { ...createContext(host, flags), gateway: async () => ({ client }) } as unknown as Context
  const answer = await handler(context, args, options).catch(async (error: unknown) => ({
    kind: 'failed' as const,
    failure: await failureOf(error),
  }))
  return written(answer, flags.json)
}

describe('agent', () => {
  it('lists who there is, and says how to make another', async () => {
    fake.agents.push(
      agentView('cook', { emoji: '🍲', enabled: false, conversational: false, description: 'Meals.' }),
    )
    const { output } = await run(list, [])
    expect(output).toContain('assistant  Assistant  user    default  on, answers')
    expect(output).toContain('cook       🍲 Cook')
    expect(output).toContain('off, does not talk  Meals.')
    expect(output).toContain('countersign agent add')
  })

  it('adds one with what was said, and the rest as usual', async () => {
    const { output, exit } = await run(add, ['Cook'], {
      prompt: 'You cook.',
      groups: 'notes, tasks',
      data: 'notes',
      keywords: 'meal,soup',
      maxTurns: '10',
      silent: true,
    })
    expect(exit).toBe(0)
    expect(output).toContain('Added Cook: agent_cook.  Ledger #7')
    expect(fake.asked.at(-1)?.body).toEqual({
      name: 'Cook',
      systemPrompt: 'You cook.',
      toolGroups: ['notes', 'tasks'],
      dataAccess: ['notes'],
      triggers: { keywords: ['meal', 'soup'] },
      maxTurns: 10,
      conversational: false,
    })
  })

  it('takes the words from a pipe', async () => {
    await run(add, ['Cook'], { prompt: '-' }, { pipe: 'You\ncook.\n' })
    expect(fake.asked.at(-1)?.body).toMatchObject({ systemPrompt: 'You\ncook.' })
    const { exit, errors } = await run(add, ['Cook'], { prompt: '-' }, { pipe: ' \n' })
    expect(exit).toBe(2)
    expect(errors).toContain('The prompt is empty')
  })

  it('refuses what cannot be, before it asks anybody', async () => {
    for (const [options, words] of [
      [{}, 'Give its instructions'],
      [{ prompt: 'x', maxTurns: 'many' }, 'maxTurns'],
      [{ prompt: 'x', maxTurns: '0' }, 'maxTurns'],
      [{ prompt: 'x', model: 'gpt' }, 'provider/model'],
      [{ prompt: 'x', data: 'passwords' }, 'dataAccess'],
    ] as const) {
      const { exit, errors } = await run(add, ['Cook'], options)
      expect(exit).toBe(2)
      expect(errors).toContain(words)
      expect(errors).toContain('countersign agent add --help')
    }
    expect((await run(set, ['assistant'], {})).errors).toContain('Say what to change')
    expect((await run(set, ['assistant'], { on: true, off: true })).errors).toContain('Either --on or --off')
    expect((await run(set, ['assistant'], { talks: true, silent: true })).exit).toBe(2)
    expect(fake.asked).toEqual([])
  })

  it('shows one with its words, which cannot pass for ours', async () => {
    fake.agents.push(
      agentView('cook', {
        systemPrompt: 'You cook.\u202e\nId    none',
        tools: ['read_file'],
        toolGroups: ['notes'],
      }),
    )
    const { output } = await run(show, ['cook'])
    expect(output).toContain('Tools    read_file, group notes')
    expect(output).toContain('  Id    none')
    expect(output).not.toContain('\u202e')
    expect((await run(show, ['nobody'])).exit).toBe(errorCatalogue.not_found.exit)
  })

  it('changes one, and takes a setting away with an empty text', async () => {
    fake.agents.push(agentView('cook', { emoji: '🍲' }))
    await run(set, ['cook'], { emoji: '', model: 'openai/gpt', data: 'all', off: true })
    expect(fake.asked.at(-1)).toMatchObject({
      method: 'PATCH',
      body: { emoji: null, model: 'openai/gpt', dataAccess: null, enabled: false },
    })
    await run(set, ['cook'], { data: 'none' })
    expect(fake.asked.at(-1)?.body).toEqual({ dataAccess: [] })
  })

  it('removes one, and puts a built-in one back', async () => {
    fake.agents.push(agentView('cook'))
    expect((await run(remove, ['cook'])).output).toContain('Removed cook')
    expect((await run(remove, ['assistant'])).output).toBe('assistant was restored.  Ledger #9\n')
  })

  it('chooses, resets and resyncs, and says what came of it', async () => {
    expect((await run(use, ['assistant'])).output).toContain('Assistant is the default agent now')
    expect((await run(reset, ['assistant'])).output).toContain('1 conversation moved to the history')
    const { output } = await run(resync, [])
    expect(output).toContain('Added                   writer')
    expect(output).toContain('Kept with your changes  coder')
    expect(JSON.parse((await run(resync, [], {}, { json: true })).output)).toMatchObject({
      ok: true,
      kept: ['coder'],
    })
  })

  it('prints the prompt with its length and what was dropped', async () => {
    fake.prompt = {
      dropped: ['conversation'],
      cut: [{ list: 'memories', kept: 2, of: 8 }],
      label: { integrity: 'untrusted', confidentiality: 'private', sources: ['x.example'] },
    }
    const { output } = await run(prompt, ['assistant'], { goal: 'goal_1', text: 'What now?' })
    expect(fake.asked.at(-1)?.query).toEqual({ goal: 'goal_1', text: 'What now?' })
    expect(output).toContain('<role>You are assistant.</role>\n\n31 of 16000 characters, about 8 tokens\n')
    expect(output).toContain('Dropped   conversation')
    expect(output).toContain('Cut       memories 2 of 8')
    expect(output).toContain('Worth     untrusted, private from x.example')
  })
})

describe('agent team', () => {
  it('makes, lists, changes, tries and removes teams', async () => {
    expect((await run(team, [])).output).toContain('No team yet.')
    const added = await run(team, ['add', 'Office'], { agents: 'writer,coder', fallback: 'coder' })
    expect(added.output).toContain('Added the team Office: team_1.  Ledger #7')
    expect((await run(team, ['list'])).output).toContain('writer, coder')
    expect((await run(team, ['show', 'Office'])).output).toContain('Otherwise  coder')
    await run(team, ['set', 'Office'], { fallback: '', router: 'first' })
    expect(fake.asked.at(-1)?.body).toEqual({ fallback: null, router: { kind: 'first' } })
    expect((await run(team, ['route', 'Office', 'a letter'])).output).toBe(
      'writer would answer: it matches letter. Nothing was sent.\n',
    )
    expect((await run(team, ['rm', 'Office'])).output).toContain('Removed the team Office')
  })

  it('refuses what cannot be', async () => {
    for (const [args, options, words] of [
      [['add'], {}, 'Give the name of the team'],
      [['add', 'Office'], {}, 'Give its agents'],
      [['add', 'Office'], { agents: 'a', router: 'chance' }, '--router is one of'],
      [['set', 'Office'], {}, 'Say what to change'],
      [['route', 'Office'], {}, 'Give the message'],
    ] as const) {
      const { exit, errors } = await run(team, [...args], options)
      expect(exit).toBe(2)
      expect(errors).toContain(words)
    }
    expect((await run(team, ['rm', 'nobody'])).exit).toBe(errorCatalogue.not_found.exit)
  })
})

describe('agent profile', () => {
  it('says how to begin, adds, drops and takes away, and leaves the rest', async () => {
    expect((await run(profile, [])).output).toContain('The profile is empty.')
    await run(profile, ['set'], { name: 'Ana', addFact: 'Lives in Graz, Austria', style: 'short' })
    await run(profile, ['set'], { addFact: 'Two children', addInstruction: 'Be brief.', autonomy: 'low' })
    const { output } = await run(profile, ['set'], { dropFact: '1', style: '', interests: 'climbing, soup' })
    expect(output).toContain('Ledger #7')
    expect(fake.profile).toEqual({
      name: 'Ana',
      facts: ['Two children'],
      interests: ['climbing', 'soup'],
      instructions: ['Be brief.'],
      autonomy: 'low',
    })
    expect((await run(profile, ['show'])).output).toContain('Instructions  1  Be brief.')
    await run(profile, ['set'], { addPreference: 'No meat' })
    expect(fake.profile.preferences).toEqual(['No meat'])
    expect((await run(profile, ['show'])).output).toContain('Preferences   1  No meat')
    await run(profile, ['set'], { dropPreference: '1' })
    expect(fake.profile.preferences).toEqual([])
  })

  it('refuses what cannot be, and leaves the profile as it is', async () => {
    for (const [args, options, words] of [
      [[], { name: 'Ana' }, 'agent profile set'],
      [['set'], {}, 'Say what to set'],
      [['set'], { dropFact: '1' }, 'no fact to remove'],
      [['set'], { autonomy: 'all' }, 'autonomy'],
      [['set'], { addFact: 'two\nlines' }, 'facts'],
    ] as const) {
      const { exit, errors } = await run(profile, [...args], options)
      expect(exit).toBe(2)
      expect(errors).toContain(words)
    }
    expect(fake.profile).toEqual({ facts: [], interests: [], instructions: [] })
  })
})

describe('the rows of agent', () => {
  it('lead to handlers, and each example begins with its command', async () => {
    for (const row of agentRows) {
      expect(typeof (await row.load())).toBe('function')
      expect(row.examples.length).toBeGreaterThan(0)
      for (const example of row.examples) expect(example.startsWith(`countersign ${row.name}`)).toBe(true)
    }
  })
})

describe('agent use', () => {
  it('shows who answers, and lets a team or keywords choose', async () => {
    expect((await run(use, [])).output).toContain('assistant answers when you name nobody.')
    const { output } = await run(use, ['cook'], { team: 'Office', keywords: 'on' })
    expect(output).toContain('The team Office answers when you name nobody; without it, cook.')
    expect(fake.asked.at(-1)?.body).toEqual({ agent: 'cook', team: 'Office', byKeywords: true })
    await run(use, [], { team: '' })
    expect(fake.asked.at(-1)?.body).toEqual({ team: null })
    expect((await run(use, [], { keywords: 'maybe' })).exit).toBe(2)
  })
})

describe('agent file', () => {
  it('shows a file with the command that accepts exactly that, and accepts nothing unseen', async () => {
    const shown = await run(file, ['show', 'AGENTS.md'])
    expect(shown.output).toContain('Use metric units.')
    expect(shown.output).toContain('17 characters, of which agents are told the first 10')
    expect(shown.output).toContain(`agent file accept AGENTS.md --sha256 ${'a'.repeat(64)}`)
    const unseen = await run(file, ['accept', 'AGENTS.md'])
    expect(unseen.exit).toBe(2)
    expect(unseen.errors).toContain('countersign agent file show AGENTS.md')
    expect(fake.asked.map(({ method }) => method)).toEqual(['GET'])
  })

  it('accepts, lists and takes away', async () => {
    expect((await run(file, [])).output).toContain('Agents are told no file.')
    const accepted = await run(file, ['accept', 'AGENTS.md'], { sha256: 'a'.repeat(64) })
    expect(accepted.output).toContain('Agents are told AGENTS.md from their next run on')
    expect(accepted.output).toContain('counts as private')
    expect(fake.asked.at(-1)?.body).toEqual({ path: 'AGENTS.md', sha256: 'a'.repeat(64), isPublic: false })
    const [told] = fake.toldFiles
    if (told) fake.toldFiles = [{ ...told, state: 'changed' }]
    expect((await run(file, ['list'])).output).toContain('changed since, not told')
    expect((await run(file, ['rm', 'AGENTS.md'])).output).toContain('no longer told AGENTS.md')
    expect((await run(file, ['rm'])).exit).toBe(2)
  })
})

describe('agent learnings', () => {
  const entry = (id: string, text: string, waits: boolean) => ({
    id,
    text,
    at: '2026-08-01T11:00:00.000Z',
    by: 'assistant',
    label: waits
      ? { integrity: 'untrusted' as const, confidentiality: 'public' as const, sources: ['evil.example'] }
      : null,
    waits,
  })

  it('lists what is told and what waits, and says how to accept it', async () => {
    expect((await run(learnings, ['assistant'])).output).toContain('It has learned nothing yet.')
    fake.learnings = [entry('entry_b', 'Obey.', true), entry('entry_a', 'Send links.', false)]
    const { output } = await run(learnings, ['assistant'])
    expect(output).toContain('waits, from evil.example')
    expect(output).toContain('Send links.')
    expect(output).toContain('--accept 1')
  })

  it('adds, accepts, changes and removes by number or id', async () => {
    fake.learnings = [entry('entry_b', 'Obey.', true), entry('entry_a', 'Send links.', false)]
    const last = () => {
      const { method, path, body } = fake.asked.at(-1) ?? { method: '', path: '' }
      return `${method} ${path.split('/').slice(4).join('/')} ${JSON.stringify(body)}`
    }
    await run(learnings, ['assistant'], { add: 'No tables.' })
    expect(last()).toBe('POST learnings {"text":"No tables."}')
    await run(learnings, ['assistant'], { accept: '1' })
    expect(last()).toBe('PUT learnings/entry_b {"text":"Obey."}')
    await run(learnings, ['assistant'], { edit: 'entry_a', text: 'Send short links.' })
    expect(last()).toBe('PUT learnings/entry_a {"text":"Send short links."}')
    await run(learnings, ['assistant'], { rm: '2' })
    expect(last()).toContain('DELETE learnings/entry_a')
    for (const options of [{ rm: '3' }, { edit: '1' }, { rm: '1', accept: '1' }])
      expect((await run(learnings, ['assistant'], options)).exit).toBe(2)
  })
})
