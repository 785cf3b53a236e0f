import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { idFrom, type NodeResource } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DesktopCommand } from './commands.ts'
import { type DesktopParts, desktopOf } from './desktop.ts'
import { createSystemPrograms, type ProgramAnswer } from './system-programs.ts'

let folder: string
let ran: DesktopCommand[]
let put: Map<string, Uint8Array>
let answer: (command: DesktopCommand) => ProgramAnswer
const { signal } = new AbortController()
const answered = (output = ''): ProgramAnswer => ({ kind: 'answered', output, truncated: false })

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-desktop-'))
  ran = []
  put = new Map()
  answer = () => answered()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const parts = (): DesktopParts => ({
  platform: 'linux',
  session: 'x11',
  programs: {
    find: async (program) => (program === 'scrot' ? undefined : `/usr/bin/${program}`),
    async run(command) {
      ran.push(command)
      return answer(command)
    },
  },
  captures: join(folder, 'captures'),
  async putPicture(path, bytes) {
    put.set(path, bytes)
    return null
  },
  now: () => new Date('2026-03-01T12:34:56.000Z'),
  id: () => 'a'.repeat(32),
})

const allowed = (capability: NodeResource['capability'], op: NodeResource['op'], object = '') =>
  desktopOf(
    {
      type: 'node',
      node: idFrom('node', '0'.repeat(32)),
      executor: idFrom('exe', '0'.repeat(32)),
      key: '0'.repeat(64),
      name: 'laptop',
      capability,
      op,
      object,
      content: null,
    },
    parts(),
  )

describe('the desktop', () => {
  it('keeps a picture in the shared folder, and nowhere else', async () => {
    answer = ({ args }) => {
      writeFileSync(args.at(-1)?.replace('png:', '') ?? '', 'picture')
      return answered()
    }
    const path = 'Captures/screen 2026-03-01 12.34.56 aaaaaa.png'
    expect(await allowed('screen', 'read').captureScreen(signal)).toEqual({
      kind: 'picture',
      path,
      size: 7,
      sha256: sha256Hex('picture'),
    })
    expect([...put.keys()]).toEqual([path])
    expect(readdirSync(join(folder, 'captures'))).toEqual([])
    // The first program of its session is not there.
    expect(ran.map(({ program }) => program)).toEqual(['import'])
  })

  it('says so when no picture came of it', async () => {
    const { kind } = await allowed('camera', 'read').takePicture(signal)
    expect(kind).toBe('failed')
    expect(put.size).toBe(0)
  })

  it('does nothing that the permit does not name', async () => {
    const clipboard = allowed('clipboard', 'read')
    const all = [
      clipboard.open('https://example.org/', signal),
      clipboard.captureScreen(signal),
      clipboard.takePicture(signal),
      clipboard.writeClipboard('x', signal),
      clipboard.notify({ title: 'a', text: 'b' }, signal),
      clipboard.locate(signal),
      allowed('clipboard', 'write').readClipboard(signal),
      allowed('browser', 'show', 'https://example.org/').open('https://example.com/', signal),
      allowed('notifications', 'read').notify({ title: 'a', text: 'b' }, signal),
    ]
    for (const each of await Promise.all(all)) expect(each.kind).toBe('failed')
    expect(ran).toEqual([])
  })

  it('does what the permit names', async () => {
    answer = () => answered('Latitude: 1.5\nLongitude: 2.5')
    const url = 'https://example.org/'
    expect(await allowed('browser', 'show', url).open(url, signal)).toEqual({ kind: 'done' })
    expect(await allowed('notifications', 'show').notify({ title: 'a', text: 'b' }, signal)).toEqual({
      kind: 'done',
    })
    expect(await allowed('location', 'read').locate(signal)).toMatchObject({ latitude: 1.5, longitude: 2.5 })
    expect(await allowed('clipboard', 'write').writeClipboard('x', signal)).toEqual({ kind: 'done' })
    expect(await allowed('clipboard', 'read').readClipboard(signal)).toMatchObject({ kind: 'text' })
    answer = () => answered('nothing')
    expect((await allowed('location', 'read').locate(signal)).kind).toBe('failed')
  })
})

describe('a program of the system', () => {
  const system = () =>
    createSystemPrograms({ platform: 'linux', environment: { DISPLAY: ':9' }, folders: [folder] })
  const script = (text: string) => writeFileSync(join(folder, 'say'), `#!/bin/sh\n${text}\n`, { mode: 0o700 })
  const say = (more: Partial<DesktopCommand> = {}): DesktopCommand => ({
    program: 'say',
    args: [],
    answers: true,
    timeoutMs: 60_000,
    ...more,
  })

  it('is given its words, its input and few names', async () => {
    script('echo "$1|$DISPLAY|${HOME-none}"; /usr/bin/cat')
    const result = await system().run(say({ args: ['-x; id'], stdin: 'in' }), signal)
    expect(result).toEqual({ kind: 'answered', output: '-x; id|:9|none\nin', truncated: false })
  })

  it('is bounded in what it says', async () => {
    script('/usr/bin/head -c 300000 /dev/zero | /usr/bin/tr "\\0" x')
    const said = await system().run(say(), signal)
    expect(said).toMatchObject({ truncated: true })
    expect(said.kind === 'answered' && said.output.length === 100_000).toBe(true)
  })

  it('is ended when it takes too long, when it is cancelled, and told of when it fails', async () => {
    script('exec /usr/bin/sleep 100')
    expect(await system().run(say({ timeoutMs: 50 }), signal)).toEqual({
      kind: 'failed',
      reason: 'say took too long.',
    })
    expect(await system().run(say(), AbortSignal.abort())).toEqual({ kind: 'failed', reason: 'Cancelled.' })
    script('echo no display >&2; exit 3')
    expect(await system().run(say(), signal)).toEqual({
      kind: 'failed',
      reason: 'say ended with 3: no display.',
    })
    expect(await system().run(say({ program: 'other' }), signal)).toMatchObject({ kind: 'failed' })
  })

  it('is looked for in its own folders only', async () => {
    expect(await system().find('sh')).toBeUndefined()
    expect(await system().find('/bin/sh')).toBe('/bin/sh')
  })
})
