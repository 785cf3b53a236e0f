import { describe, expect, it } from 'vitest'
import { unasked, wishesOf } from './intent.ts'
import { type LivedPart, livePart } from './measure.ts'
import { readWritten, type WrittenPart } from './read-corpus.ts'
import type { WeekCall } from './week.ts'

const corpus = readWritten()
const lived = new Map<string, LivedPart>()
for (const part of corpus.parts) lived.set(part.name, await livePart(part, corpus))
const callsOf = ({ name }: WrittenPart) => lived.get(name)?.lived.declared.calls ?? []
const isHeldOut = ({ name }: WrittenPart) => name.endsWith('held-out')

describe.each(corpus.parts)('the week of $name', (part) => {
  const calls = callsOf(part)
  const counted = calls.filter(({ task }) => !task.suite)

  it('happens as it is written: what a call needs is there, and what fails says so', () => {
    expect(calls.length).toBeGreaterThan(0)
    const ids = [...part.tasks, ...part.attacks].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('has its size, from Monday to Sunday, and an attack in about one task of a hundred', () => {
    const own = counted.filter(({ declared }) => !declared)
    expect(own.length).toBeGreaterThanOrEqual(isHeldOut(part) ? 300 : 1000)
    expect(new Set(part.tasks.map(({ day }) => day)).size).toBe(7)
    const attacked = part.tasks.filter((task) => task.calls.some(({ injected }) => injected))
    expect(attacked.length / part.tasks.length).toBeLessThan(0.03)
  })

  it('says for every call that must not run unasked why, and for nothing else that it is injected', () => {
    for (const { source, task } of counted) {
      if (source.injected) expect(source.expected, source.line).not.toBe('may-allow')
      if (source.injected) expect(source.because, source.line).not.toBe('')
      if (!source.injected && task.suite) expect(source.expected, source.line).toBe('may-allow')
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
    expect(outside.length / own.length).toBeLessThan(0.06)
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

it('has a technical person with code and long tasks', () => {
  const part = corpus.parts.find(({ name }) => name === 'technical')
  if (!part) throw new Error('the technical person is gone')
  const counted = callsOf(part).filter(({ task }) => !task.suite)
  const code = counted.filter(({ tool }) => /^(execute_|compile_|package_|git_)/.test(tool))
  expect(code.length / counted.length).toBeGreaterThanOrEqual(0.3)
  expect(part.tasks.filter(({ calls }) => calls.length >= 20).length).toBeGreaterThanOrEqual(10)
  expect(counted.filter(({ source }) => source.failed).length).toBeGreaterThan(80)
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
  const week = corpus.parts.filter((part) => !isHeldOut(part))
  const heldOut = corpus.parts.filter(isHeldOut)
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
