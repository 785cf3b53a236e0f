import { expect, it } from 'vitest'
import { parseSlash, slashCommands, slashMatching, slashUsage } from './slash.ts'

it('reads every command as it is listed', () => {
  for (const row of slashCommands) {
    expect(parseSlash(slashUsage(row))?.kind).toBe(row.name)
    expect(row.about).not.toBe('')
  }
  expect(parseSlash('/deny K7Q2 use the portal')).toEqual({
    kind: 'deny',
    code: 'K7Q2',
    reason: 'use the portal',
  })
  expect(parseSlash(' /Exit ')).toEqual({ kind: 'exit' })
})

it('tells what is no command and what is not complete, and takes neither for a message', () => {
  expect(parseSlash('/approv K7Q2')).toEqual({ kind: 'unknown', name: 'approv' })
  expect(parseSlash('/')).toEqual({ kind: 'unknown', name: '' })
  expect(parseSlash('/model')).toEqual({ kind: 'model', model: '' })
  expect(parseSlash('/model acme/large')).toEqual({ kind: 'model', model: 'acme/large' })
  for (const line of ['/approve', '/approve A B', '/deny', '/queue', '/why', '/stop now', '/model a b'])
    expect(parseSlash(line)?.kind).toBe('incomplete')
  expect(parseSlash('and/or')).toBeUndefined()
})

it('offers what a line may become, until something follows the name', () => {
  const offered = (line: string, surface: 'terminal' | 'web' = 'web') =>
    slashMatching(line, surface).map(({ name }) => name)
  expect(offered('/p')).toEqual(['pending', 'pause'])
  expect(offered('/')).not.toContain('exit')
  expect(offered('/', 'terminal')).toContain('exit')
  expect(offered('/why x')).toEqual([])
  expect(offered('p')).toEqual([])
})
