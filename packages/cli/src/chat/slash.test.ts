import { expect, it } from 'vitest'
import { parseSlash } from './slash.ts'

it('reads every command', () => {
  expect(parseSlash('/queue and then stop')).toEqual({ kind: 'queue', text: 'and then stop' })
  expect(parseSlash('/approve K7Q2')).toEqual({ kind: 'approve', code: 'K7Q2' })
  expect(parseSlash('/deny K7Q2 use the portal')).toEqual({
    kind: 'deny',
    code: 'K7Q2',
    reason: 'use the portal',
  })
  expect(parseSlash(' /exit ')).toEqual({ kind: 'exit' })
  expect(parseSlash('/why workspace/a b.txt')).toEqual({ kind: 'why', ref: 'workspace/a b.txt' })
})

it('refuses what is no command, and never takes it for a message', () => {
  for (const line of ['/', '/approv K7Q2', '/approve', '/approve A B', '/deny', '/queue', '/stop now']) {
    expect(parseSlash(line)?.kind).toBe('wrong')
  }
  expect(parseSlash('and/or')).toBeUndefined()
})
