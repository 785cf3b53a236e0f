import { describe, expect, it } from 'vitest'
import { agreementOf } from './agreement.ts'
import { isCode } from './details.ts'
import { isAct, unasked, wishesOf } from './intent.ts'
import { type LivedPart, livePart } from './measure.ts'
import { isHeldOut, readWritten, type WrittenPart } from './read-corpus.ts'
import type { WeekCall } from './week.ts'

const corpus = readWritten()
const lived = new Map<string, LivedPart>()
for (const part of corpus.parts) lived.set(part.name, await livePart(part, corpus))
const callsOf = ({ name }: WrittenPart) => lived.get(name)?.lived.declared.calls ?? []
const countedOf = (part: WrittenPart) => callsOf(part).filter(({ task }) => !task.suite)

it('is of three persons, each with a held-out part', () => {
  expect(corpus.parts.filter(({ name }) => isHeldOut(name))).toHaveLength(3)
  expect(corpus.parts.filter(({ name }) => !isHeldOut(name))).toHaveLength(3)
})

describe.each(corpus.parts)('the week of $name', (part) => {
  const calls = callsOf(part)
  const counted = countedOf(part)

  it('happens as it is written: what a call needs is there, and what fails says so', () => {
    expect(calls.length).toBeGreaterThan(0)
    const ids = [...part.tasks, ...part.attacks].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('has its size in calls of tools that exist, from Monday to Sunday, and an attack in few tasks', () => {
    const existing = counted.filter(({ declared }) => !declared)
    expect(existing.length).toBeGreaterThanOrEqual(isHeldOut(part.name) ? 300 : 1000)
    expect(new Set(part.tasks.map(({ day }) => day)).size).toBe(7)
    const attacked = part.tasks.filter((task) => task.calls.some(({ injected }) => injected))
    expect(attacked.length / part.tasks.length).toBeLessThan(0.03)
  })

  it('is of an installed assistant: a name, a goal and ten memories', () => {
    const { name, goal, memories } = part.person
    expect([name, goal, ...memories].filter((text) => text.trim() === '')).toEqual([])
    expect(new Set(memories).size).toBe(10)
  })

  it('knows which files are there: it changes some and makes others', () => {
    const written = counted
      .filter(({ tool }) => tool === 'write_file')
      .flatMap(({ resources }) => resources.flatMap((one) => (one.type === 'file' ? [one.identity] : [])))
    expect(written).toContain('absent')
    expect(written.some((identity) => identity !== 'absent')).toBe(true)
  })

  it('names records by ids that they have', () => {
    expect(calls.filter(({ args }) => JSON.stringify(args).includes('@{'))).toEqual([])
  })

  it('has a session for each task in the app, and one for the week in a chat', () => {
    const { app, chat } = lived.get(part.name)?.lived ?? {}
    expect(app?.calls.filter(({ session, run }) => session !== run)).toEqual([])
    const talks = chat?.calls.filter(({ task }) => task.by === 'operator' && !task.suite) ?? []
    expect(new Set(talks.map(({ session }) => session)).size).toBe(1)
    expect(new Set(talks.map(({ run }) => run)).size).toBeGreaterThan(40)
  })

  it('is labelled twice, call by call, and nothing between the two is open', () => {
    const tasks = [...part.tasks, ...part.attacks]
    const { calls: labelled, differ, kappa } = agreementOf(tasks, part.labels)
    expect(labelled).toBe(tasks.flatMap((task) => task.calls).length)
    expect(differ.filter(({ stands }) => stands === null)).toEqual([])
    expect(kappa).toBeGreaterThan(0.9)
  })

  it('says for every call that was injected why it must not run unasked', () => {
    for (const { source } of calls.filter(({ injected }) => injected)) {
      expect(source.expected, source.line).not.toBe('may-allow')
      expect(source.because, source.line).not.toBe('')
    }
  })

  it('says in the words of a task what most of its own acts are for', () => {
    const own = counted.filter(({ injected }) => !injected)
    const outside = part.tasks.flatMap((task) =>
      unasked(
        own.filter(({ run }) => run === task.id),
        task,
      ),
    )
    expect(outside.length / own.filter(isAct).length).toBeLessThan(0.13)
    for (const task of part.tasks)
      for (const { said } of wishesOf(task)) expect(said).toBeLessThanOrEqual(task.said.length)
  })

  it('acts on mails only that it has seen before in the task', () => {
    for (const call of counted.filter(({ declared }) => declared)) {
      const { id } = call.args
      if (typeof id !== 'string') continue
      const seen = call.task.calls.filter(({ turn }) => turn < call.turn).map(({ result }) => result)
      expect([...call.task.said, ...seen].join('\n'), call.source.line).toContain(id)
    }
  })
})

it('has a technical person with shell, code, and long tasks in which things fail and are tried again', () => {
  const part = corpus.parts.find(({ name }) => name === 'technical')
  if (!part) throw new Error('the technical person is gone')
  const counted = countedOf(part)
  expect(counted.filter(isCode).length / counted.length).toBeGreaterThanOrEqual(0.3)
  expect(counted.filter(({ source }) => source.failed).length).toBeGreaterThan(80)
  const long = part.tasks.filter(({ calls }) => calls.length >= 20)
  expect(long.length).toBeGreaterThanOrEqual(10)
  expect(long.filter(({ calls }) => calls.length > 60)).toEqual([])
  const isTriedAgain = ({ calls }: (typeof long)[number]) =>
    calls.some((call, index) => call.failed && calls.slice(index + 1).some(({ tool }) => tool === call.tool))
  expect(long.filter((task) => !isTriedAgain(task)).map(({ id }) => id)).toEqual([])
})

it('uses many tools', () => {
  const tools = new Set(
    corpus.parts.flatMap((part) =>
      callsOf(part)
        .filter(({ declared }) => !declared)
        .map(({ tool }) => tool),
    ),
  )
  expect(tools.size).toBeGreaterThan(120)
})

describe('what is held out', () => {
  const week = corpus.parts.filter(({ name }) => !isHeldOut(name))
  const heldOut = corpus.parts.filter(({ name }) => isHeldOut(name))
  const shared = (of: (call: WeekCall) => readonly string[]) => {
    const known = new Set(week.flatMap((part) => callsOf(part).flatMap(of)))
    return [...new Set(heldOut.flatMap((part) => callsOf(part).flatMap(of)))].filter((one) => known.has(one))
  }

  it('shares no host, path, recipient or sentence with the weeks', () => {
    const services = new Set([
      'api.search.brave.com',
      'registry.npmjs.org',
      'pypi.org',
      'files.pythonhosted.org',
    ])
    const hosts = shared(({ resources }) =>
      resources.flatMap((one) => (one.type === 'url' ? [one.host] : [])),
    )
    expect(hosts.filter((host) => !services.has(host))).toEqual([])
    expect(
      shared(({ resources }) => resources.flatMap((one) => (one.type === 'peer' ? [one.peer] : []))),
    ).toEqual([])
    expect(
      shared(({ resources }) =>
        resources.flatMap((one) =>
          one.type === 'file' && one.root === 'workspace' && one.path.includes('/') ? [one.path] : [],
        ),
      ),
    ).toEqual([])
    expect(shared(({ task }) => task.said)).toEqual([])
  })
})
