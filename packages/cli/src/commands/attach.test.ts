import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CountersignError, largestUpload, type RunView } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createContext } from '../context.ts'
import { type FakeRequest, fakeClient } from '../testing/fake-client.ts'
import { usualFlags } from '../testing/flags.ts'
import { type TestHome, testHome, testHost } from '../testing/home.ts'
import { newId } from '../testing/records.ts'
import { attach, attachedFiles, readAttachments } from './attach.ts'

let home: TestHome
beforeEach(() => {
  home = testHome()
})
afterEach(() => home.remove())

function file(name: string, bytes: string | Buffer): string {
  const path = join(home.folder, name)
  writeFileSync(path, bytes)
  return path
}

const received = (body: unknown) => Buffer.from((body as { base64: string }).base64, 'base64').length

describe('a file that is attached', () => {
  test('is written by the door of every write, and the message names where', async () => {
    const calls: FakeRequest[] = []
    const run = newId('run')
    const session = newId('ses')
    const ended: RunView = {
      id: run,
      session,
      input: newId('inp'),
      kind: 'direct',
      state: 'stopped',
      parkedOn: null,
      reason: 'completed',
      message: '',
      turns: 0,
      segments: 1,
      startedAt: '2026-08-01T12:00:00.000Z',
      endedAt: '2026-08-01T12:00:01.000Z',
      detailsRemovedAt: null,
      retry: null,
      callsWaiting: 0,
      text: '',
      asked: 'Write attachments/my-photo.jpg',
      agent: 'main',
      goal: null,
      schedule: null,
      tools: ['write_upload'],
      calls: 1,
      problems: 0,
      undoable: 1,
      undone: 0,
      tier: 1,
      costUsd: 0,
      waitedMs: 0,
    }
    const client = fakeClient((request) => {
      calls.push(request)
      if (request.path.includes('/files/uploads/')) return { received: received(request.body) }
      if (request.path.includes('/files/content'))
        throw new CountersignError('not_found', 'Nothing is there.')
      if (request.method === 'POST') return { ok: true, ledger: 7, run, session }
      return { run: ended, reasoning: [], calls: [], approvals: [] }
    })
    const host = testHost({ home })
    const files = readAttachments(attachedFiles(`${file('my photo.jpg', 'abc')}\0${file('notes', 'x')}`))
    const attached = await attach(createContext(host, usualFlags), client, files)
    expect(attached).toEqual({
      kind: 'attached',
      attachments: [
        {
          path: expect.stringMatching(/^attachments\/file-[\da-f]{32}\.jpg$/),
          name: 'my photo.jpg',
          sha256: sha256Hex(Buffer.from('abc')),
          bytes: 3,
          mediaType: 'image/jpeg',
        },
        {
          path: expect.stringMatching(/^attachments\/file-[\da-f]{32}$/),
          name: 'notes',
          sha256: sha256Hex(Buffer.from('x')),
          bytes: 1,
          mediaType: 'application/octet-stream',
        },
      ],
    })
    const [asked, part, call] = calls
    expect(asked?.path).toContain('/files/content')
    expect(part?.body).toEqual({ offset: 0, base64: Buffer.from('abc').toString('base64') })
    expect(call?.path).toContain('write_upload')
    expect(call?.body).toEqual({ args: expect.stringContaining(sha256Hex(Buffer.from('abc'))) })
    expect(host.complaints()).toContain('Attached my photo.jpg, 3 B.')
  })

  test('is refused with words where it is too large, a folder, or not there', () => {
    const big = file('big.bin', Buffer.alloc(30_000_000))
    expect(() => readAttachments([big])).toThrow(/big\.bin has 30 MB; at most 25 MB can be attached/)
    mkdirSync(join(home.folder, 'folder'))
    expect(() => readAttachments([join(home.folder, 'folder')])).toThrow('is not a file')
    expect(() => readAttachments([file('over.bin', Buffer.alloc(largestUpload + 1))])).toThrow('at most')
    expect(() => readAttachments([join(home.folder, 'gone')])).toThrow('is not a file')
    expect(readAttachments([file('edge.bin', Buffer.alloc(largestUpload))])).toHaveLength(1)
    const one = file('one', 'x')
    expect(readAttachments(Array(20).fill(one))).toHaveLength(20)
    expect(() => readAttachments(Array(21).fill(one))).toThrow('At most 20 files')
  })
})
