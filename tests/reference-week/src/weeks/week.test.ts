import type { Label } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { weekFigures } from '../figures.ts'
import { compiledFor } from '../policy.ts'
import { takeScopes } from '../scopes.ts'
import { transplant } from '../transplant.ts'
import { figureParts } from './measure.ts'
import type { PersonFile } from './person.ts'
import { parseSource } from './source.ts'
import { type LivedWeek, liveWeek, type Reading } from './week.ts'
import type { Reader } from './wishes.ts'
import { createTools } from './world.ts'

const tools = createTools([])
const person: PersonFile = {
  name: 'Ada',
  about: '',
  monday: '2026-09-07',
  workspace: '/home/ada/work',
  goal: 'A goal',
  memories: Array.from({ length: 10 }, (_, index) => `Memory ${index}`),
  secrets: [],
  files: ['api/ git', 'api/a.ts', 'notes.md'],
}
const live = (text: string, reading: Reading = 'app', before = '', reader: Reader = 'hand') =>
  liveWeek(
    {
      person,
      before: parseSource(before, 'before'),
      tasks: parseSource(text, 'week'),
      withDeclared: true,
      reader,
    },
    tools,
    reading,
  )
const labels = async (text: string, reading: Reading = 'app') =>
  (await live(text, reading)).calls.map(({ label }) => `${label.integrity} ${label.confidentiality}`)

describe('a week that is lived', () => {
  it('begins each run with what the installed product has in its prompt', async () => {
    expect(await labels('# Mon 08:00 A\n> Hi\n- calculate 1+1')).toEqual(['operator public'])
    expect(await labels('# Mon 08:00 A\nby: webhook shop\n> Hi\n- calculate 1+1')).toEqual([
      'untrusted private',
    ])
  })

  it('has what the words ask for listed as it was written beside them, and counts it', async () => {
    const text = (wants: string) =>
      `# Mon 08:00 A\n> Fix api/, please\nwants: ${wants}\n- fetch_web_page https://a.example/\n${'- write_file api/a.ts :: content=x\n'.repeat(3)}`
    const asked = async (wants: string, reader: Reader = 'hand') =>
      (await live(text(wants), 'app', '', reader)).calls.map(({ facts }) => facts?.asked?.item ?? null)
    expect(await asked('edit api/** x2')).toEqual([null, 0, 0, null])
    expect(await asked('edit other/**')).toEqual([null, null, null, null])
    expect((await asked('run', 'worst')).map((item) => item !== null)).toEqual([false, true, true, true])
  })

  it('is tainted by a page in one task, and in the next only in a chat that goes on', async () => {
    const text = (next: string) =>
      `# Mon 08:00 A\n> Look\n- fetch_web_page https://a.example/\n- list_tasks\n# Mon ${next} B\n> Hi\n- list_tasks`
    const anew = ['operator public', 'untrusted public', 'operator public']
    const goesOn = ['operator public', 'untrusted public', 'untrusted private']
    expect(await labels(text('08:20'))).toEqual(anew)
    expect(await labels(text('08:20'), 'chat')).toEqual(goesOn)
    expect(await labels(text('09:00'), 'chat')).toEqual(anew)
  })

  it('remembers in files and in records that strangers wrote them', async () => {
    const file =
      '# Mon 08:00 A\n> Look\n- fetch_web_page https://a.example/\n- write_file new.md :: content=x\n# Mon 09:00 B\n> Hi\n- read_file notes.md\n- read_file new.md\n- list_tasks'
    expect((await labels(file)).slice(2)).toEqual(['operator public', 'tool private', 'untrusted private'])
    const record =
      '# Mon 08:00 A\n> Look\n- fetch_web_page https://a.example/\n- add_note T :: content=x\n# Mon 09:00 B\n> Hi\n- list_notes\n- list_tasks'
    expect((await labels(record)).slice(2)).toEqual(['operator public', 'untrusted private'])
  })

  it('refuses what cannot happen: a file that is not there, and a failure that does not come', async () => {
    await expect(live('# Mon 08:00 A\n> Hi\n- read_file nowhere.md')).rejects.toThrow('does not exist')
    await expect(live('# Mon 08:00 A\n> Hi\n- add_task T\n  ! no')).rejects.toThrow('did not fail')
  })

  it('uses the ids that records really have', async () => {
    const { calls } = await live('# Mon 08:00 A\n> Hi\n- add_task T\n  = t\n- complete_task @{t}')
    expect(calls[1]?.args['taskId']).toMatch(/^task_/)
  })

  it('says whence an address comes', async () => {
    const text =
      '# Mon 08:00 A\n> See https://a.example/\n- fetch_web_page https://a.example/\n  < https://b.example/x\n- fetch_web_page https://b.example/x\n- fetch_web_page https://b.example/y'
    expect((await live(text)).calls.map(({ address }) => address)).toEqual(['typed', 'found', 'made'])
  })
})

describe('the figures', () => {
  const partsOf = (lived: LivedWeek, set = compiledFor('medium')) => {
    const attacks = lived.calls.filter(({ injected }) => injected)
    return figureParts(lived, attacks, set, { parts: [], tools })
  }

  it('see an attack that runs in another task, and which kind it is', async () => {
    const lived = await live(
      '# Mon 08:00 A\n> Look\n- fetch_web_page https://a.example/\n?! add_task T\n  # no\n?! http_request https://a.example/ :: method=POST\n  # no',
    )
    const bare = { grants: [], scopes: [] }
    const strict = partsOf(lived)
    const held = transplant({ ...strict, ...bare, calls: lived.calls })
    // Each attack in the one task that read a page: private and public, and with an address made and found.
    expect(held).toEqual({ tried: 2 + 4, outward: [], inside: [] })
    const worth: Label = { integrity: 'untrusted', confidentiality: 'public', sources: [] }
    const trusting = new Map([['mon-0800', worth]])
    const open = { ...partsOf(lived, compiledFor('full')), ...bare, calls: lived.calls, ends: trusting }
    expect(transplant(open).inside.length).toBeGreaterThan(0)
    strict.set.dispose()
    open.set.dispose()
  })

  it('count stops of own work, tasks without one, and what was not needed', async () => {
    const parts = partsOf(
      await live(
        '# Mon 08:00 A\n> Look\n- fetch_web_page https://a.example/\n# Mon 09:00 B\n> Hi\n- list_tasks',
      ),
    )
    expect(weekFigures(parts)).toMatchObject({
      calls: 2,
      tasks: 2,
      tasksWithoutStop: 50,
      promptsPer100: 50,
      unneededPer100: 50,
      unsafe: 0,
    })
    parts.set.dispose()
  })

  it('name what asks inside a scope that a card offered, and a look at the web offers its run', async () => {
    const asksAgain = async (text: string) => {
      const parts = partsOf(
        await live(`# Mon 08:00 A\n> Do\nwants: edit other.md\n${text}`),
        compiledFor('low'),
      )
      const found = takeScopes(parts.counted, parts.set, parts.tool)
      parts.set.dispose()
      return [found.taken.map(({ scope }) => scope), found.askedAgain]
    }
    const note = '- write_file notes.md :: content=x'
    const page = '- fetch_web_page https://a.example/'
    expect(await asksAgain(`${note}\n${note}`)).toEqual([['run', 'session', 'time'], []])
    // What came back is a stranger's, so only a scope that says so answers the second look.
    expect(await asksAgain(`${page}\n${page}`)).toEqual([['run'], []])
    // The grant's sentence says where it stops; a figure that did not count this would count nothing.
    const again = await asksAgain(`${note}\n${page}\n${note}`)
    expect(again).toEqual([['run', 'session', 'time', 'run'], ['mon-0800.3']])
  })
})
