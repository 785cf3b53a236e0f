import type { SessionId } from '@countersign/contract'
import { expect, it } from 'vitest'
import { withoutWords } from './private-entries.ts'

const entry = (type: string, data: Parameters<typeof withoutWords>[0]['data']) =>
  withoutWords({ type, actor: { kind: 'agent', id: 'run_1' }, session: 'ses_1' as SessionId, data }).data

it('keeps which tool, tier, hash and rules, and no argument, headline or text', () => {
  const data = {
    tool: 'write_file',
    tier: 1,
    args: '{"path":"heron.txt"}',
    headline: 'Write heron.txt',
    argsHash: 'ab12',
    rules: ['base.files'],
    covers: [{ kind: 'path', path: 'heron.txt' }],
  }
  expect(entry('effect.intended', data)).toEqual({
    ...data,
    args: '',
    headline: '',
    covers: [{ kind: 'path', path: '' }],
    private: true,
  })
})

it('keeps why a run ended and not what was said, and a reason only where it is a word of ours', () => {
  expect(entry('run.ended', { reason: 'completed', message: 'The heron.', turns: 2 })).toEqual({
    reason: 'completed',
    message: '',
    turns: 2,
    private: true,
  })
  expect(entry('approval.decided', { reason: 'No heron.' })).toEqual({ reason: '', private: true })
})

it('keeps no name that is too long to be one, and no field that nobody listed', () => {
  expect(entry('call.impossible', { tool: 'heron '.repeat(100), note: 'heron' })).toEqual({
    tool: '',
    note: '',
    private: true,
  })
})
