import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { probeBubblewrap } from './bubblewrap.ts'
import { createFileAgent, type FileAgent } from './files.ts'
import type { Sandbox } from './port.ts'

const never = new AbortController().signal
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

describe('the file agent', () => {
  let root: string
  let workspace: string
  let outside: string
  let sandbox: Sandbox
  let started = 0
  let agent: FileAgent

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'file-agent-'))
    workspace = join(root, 'workspace')
    outside = join(root, 'outside')
    mkdirSync(workspace)
    mkdirSync(outside)
    const probe = await probeBubblewrap({ workspace, hidden: [outside] })
    if (probe.kind === 'unavailable') throw new Error(probe.reason)
    const real = probe.sandbox
    sandbox = {
      ...real,
      start: (service) => {
        started += 1
        return real.start(service)
      },
    }
  })

  beforeEach(() => {
    writeFileSync(join(outside, 'canary'), 'CANARY')
    started = 0
    agent = createFileAgent({ sandbox })
  })

  afterEach(() => agent.close())
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  it('writes a file with its parents, reads it back and tells its digest', async () => {
    const made = await agent.write('a/b/note.txt', Buffer.from('hello'), 'absent', never)
    expect(made).toEqual({
      kind: 'ok',
      value: {
        sha256: digest('hello'),
        previousSha256: null,
        previousBase64: null,
        previousMode: 0o644,
        made: 2,
      },
    })
    expect(readFileSync(join(workspace, 'a/b/note.txt'), 'utf8')).toBe('hello')
    expect(await agent.read('a/b/note.txt', 100, never)).toEqual({
      kind: 'ok',
      value: {
        path: 'a/b/note.txt',
        contentBase64: base64('hello'),
        size: 5,
        truncated: false,
        sha256: digest('hello'),
      },
    })
    const stat = await agent.stat('a/b/note.txt', { hash: true }, never)
    const onHost = lstatSync(join(workspace, 'a/b/note.txt'))
    const identity = { device: onHost.dev, inode: onHost.ino, size: 5, sha256: digest('hello') }
    expect(stat).toMatchObject({ kind: 'ok', value: { kind: 'file', ...identity } })
    expect(readdirSync(join(workspace, 'a/b'))).toEqual(['note.txt'])
  })

  it('gives back what it replaced and keeps the mode', async () => {
    writeFileSync(join(workspace, 'run.sh'), 'old')
    chmodSync(join(workspace, 'run.sh'), 0o755)
    const changed = await agent.write('run.sh', Buffer.from('new'), { sha256: digest('old') }, never)
    expect(changed).toMatchObject({ value: { previousSha256: digest('old'), previousBase64: base64('old') } })
    expect(lstatSync(join(workspace, 'run.sh')).mode & 0o777).toBe(0o755)
  })

  it('never puts a new file over one that came into being meanwhile, and leaves nothing of its own', async () => {
    const folder = join(workspace, 'raced')
    mkdirSync(folder)
    const content = Buffer.alloc(8_000_000, 'x')
    let won = 0
    for (let trial = 0; won < 3 && trial < 200; trial += 1) {
      const path = join(folder, `${trial}.md`)
      const writing = agent.write(`raced/${trial}.md`, content, 'absent', never)
      const isMine = await takeNameDuring(writing, folder, path)
      const result = await writing
      if (!isMine) continue
      won += 1
      expect(result).toEqual({ kind: 'refused', reason: 'changed' })
      expect(readFileSync(path, 'utf8')).toBe('mine')
      expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
    }
    expect(won).toBe(3)
  })

  /** Waits until the agent has looked and writes beside the name, then takes the name. */
  async function takeNameDuring(writing: Promise<unknown>, folder: string, path: string): Promise<boolean> {
    const state = { ended: false }
    void writing.finally(() => {
      state.ended = true
    })
    while (!state.ended) {
      if (readdirSync(folder).some((name) => name.endsWith('.tmp'))) {
        try {
          writeFileSync(path, 'mine', { flag: 'wx' })
          return true
        } catch {
          return false
        }
      }
      await new Promise((resume) => setImmediate(resume))
    }
    return false
  }

  it('puts no new file through a link, neither over what it leads to nor into a folder that it names', async () => {
    mkdirSync(join(workspace, 'real'))
    writeFileSync(join(workspace, 'real/kept.md'), 'as it is')
    symlinkSync('real', join(workspace, 'linked'))
    symlinkSync('real/kept.md', join(workspace, 'link.md'))
    symlinkSync('real/absent.md', join(workspace, 'dangling.md'))
    const refused = { kind: 'refused', reason: 'symlink' }
    for (const path of ['linked/new.md', 'linked/kept.md', 'link.md', 'dangling.md'])
      expect(await agent.write(path, Buffer.from('x'), 'absent', never)).toEqual(refused)
    expect(readdirSync(join(workspace, 'real'))).toEqual(['kept.md'])
    expect(readFileSync(join(workspace, 'real/kept.md'), 'utf8')).toBe('as it is')
  })

  it('changes nothing when the file is not the one that was expected', async () => {
    writeFileSync(join(workspace, 'kept'), 'as it is')
    const refused = { kind: 'refused', reason: 'changed' }
    expect(await agent.write('kept', Buffer.from('x'), { sha256: digest('other') }, never)).toEqual(refused)
    expect(await agent.write('kept', Buffer.from('x'), 'absent', never)).toEqual(refused)
    expect(await agent.write('not-there', Buffer.from('x'), { sha256: digest('x') }, never)).toEqual(refused)
    expect(await agent.remove('kept', { sha256: digest('other') }, never)).toEqual(refused)
    expect(readFileSync(join(workspace, 'kept'), 'utf8')).toBe('as it is')
    expect(existsSync(join(workspace, 'not-there'))).toBe(false)
  })

  it('removes a file and gives its content back, and refuses what is absent', async () => {
    writeFileSync(join(workspace, 'old'), 'bye')
    expect(await agent.remove('old', null, never)).toMatchObject({
      kind: 'ok',
      value: { previousBase64: base64('bye') },
    })
    expect(await agent.remove('old', null, never)).toEqual({ kind: 'refused', reason: 'absent' })
  })

  it('reads no more than asked and says so', async () => {
    writeFileSync(join(workspace, 'long'), '0123456789')
    expect(await agent.read('long', 4, never)).toMatchObject({
      value: { contentBase64: base64('0123'), size: 10, truncated: true, sha256: digest('0123456789') },
    })
  })

  it('lists to a depth and a number of entries', async () => {
    mkdirSync(join(workspace, 'tree/x/y'), { recursive: true })
    writeFileSync(join(workspace, 'tree/x/y/deep'), '')
    const shallow = await agent.list('tree', { depth: 2, maxEntries: 10 }, never)
    expect(shallow).toMatchObject({
      value: { truncated: false, entries: [{ path: 'tree/x' }, { path: 'tree/x/y' }] },
    })
    const full = await agent.list('tree', { depth: 3, maxEntries: 2 }, never)
    expect(full).toMatchObject({
      value: { truncated: true, entries: [{ path: 'tree/x' }, { path: 'tree/x/y' }] },
    })
  })

  it('refuses paths that are absolute or climb', async () => {
    for (const path of [
      '/etc/passwd',
      '..',
      '../outside/canary',
      'a/../../outside/canary',
      'a\0b',
      '/workspace/a',
    ]) {
      const refused = { kind: 'refused', reason: 'bad-path' }
      expect(await agent.read(path, 10, never)).toEqual(refused)
      expect(await agent.write(path, Buffer.from('x'), null, never)).toEqual(refused)
      expect(await agent.stat(path, { hash: false }, never)).toEqual(refused)
    }
  })

  it('does not follow a symlink out of the workspace, to read, write, list or remove', async () => {
    symlinkSync(outside, join(workspace, 'door'))
    symlinkSync(join(outside, 'canary'), join(workspace, 'window'))
    symlinkSync('/usr', join(workspace, 'system'))
    symlinkSync('/proc/self/environ', join(workspace, 'environ'))
    for (const path of ['door/canary', 'window', 'system/bin/env', 'environ']) {
      expect((await agent.read(path, 100, never)).kind).toBe('refused')
      expect((await agent.write(path, Buffer.from('x'), null, never)).kind).toBe('refused')
      expect((await agent.remove(path, null, never)).kind).toBe('refused')
    }
    expect((await agent.list('door', { depth: 2, maxEntries: 9 }, never)).kind).toBe('refused')
    expect((await agent.list('system', { depth: 1, maxEntries: 9 }, never)).kind).toBe('refused')
    expect(await agent.stat('window', { hash: true }, never)).toMatchObject({
      value: { kind: 'symlink', sha256: null },
    })
    expect(readFileSync(join(outside, 'canary'), 'utf8')).toBe('CANARY')
    expect(readdirSync(outside)).toEqual(['canary'])
  })

  it('does not leave the workspace while a directory is swapped for a way out again and again', async () => {
    mkdirSync(join(workspace, 'inside'))
    const point = (target: string): void => {
      symlinkSync(target, join(workspace, 'next'))
      renameSync(join(workspace, 'next'), join(workspace, 'swap'))
    }
    for (let round = 0; round < 10; round += 1) {
      point('inside')
      const pending = Array.from({ length: 20 }, () => [
        agent.write('swap/canary', Buffer.from('ESCAPED'), null, never),
        agent.read('swap/canary', 100, never),
      ])
      for (let flip = 0; flip < 200; flip += 1) {
        point(flip % 2 === 0 ? outside : 'inside')
        if (flip % 20 === 0) await new Promise((resolve) => setImmediate(resolve))
      }
      for (const result of await Promise.all(pending.flat())) {
        expect(JSON.stringify(result)).not.toContain(base64('CANARY'))
      }
    }
    expect(readFileSync(join(outside, 'canary'), 'utf8')).toBe('CANARY')
    expect(readdirSync(outside)).toEqual(['canary'])

    point('inside')
    expect(realpathSync(join(workspace, 'swap'))).toBe(join(workspace, 'inside'))
    point(outside)
    writeFileSync(join(workspace, 'swap/canary'), 'a check followed by a write does escape')
    expect(readFileSync(join(outside, 'canary'), 'utf8')).not.toBe('CANARY')
  })

  it('refuses a named pipe instead of waiting for it', async () => {
    spawnSync('mkfifo', [join(workspace, 'pipe')])
    expect(await agent.read('pipe', 10, never)).toEqual({ kind: 'refused', reason: 'not-a-file' })
    expect(await agent.write('pipe', Buffer.from('x'), null, never)).toEqual({
      kind: 'refused',
      reason: 'not-a-file',
    })
  })

  it('starts one helper for many requests, and another after the first was closed', async () => {
    await Promise.all(Array.from({ length: 20 }, () => agent.stat('', { hash: false }, never)))
    expect(started).toBe(1)
    await agent.close()
    expect(await agent.stat('', { hash: false }, never)).toMatchObject({
      kind: 'ok',
      value: { kind: 'directory' },
    })
    expect(started).toBe(2)
  })

  it('ends the helper when idle', async () => {
    const brief = createFileAgent({ sandbox, idleMs: 1 })
    await expect
      .poll(async () => {
        await brief.stat('', { hash: false }, never)
        return started
      })
      .toBeGreaterThan(1)
    await brief.close()
  })

  it('answers a cancelled request as cancelled and serves the next one', async () => {
    const controller = new AbortController()
    const pending = agent.stat('', { hash: false }, controller.signal)
    controller.abort()
    expect(await pending).toEqual({ kind: 'cancelled' })
    expect(await agent.stat('', { hash: false }, AbortSignal.abort())).toEqual({ kind: 'cancelled' })
    expect((await agent.stat('', { hash: false }, never)).kind).toBe('ok')
  })

  it('carries a large file both ways', async () => {
    // In parts that are not alike, the last of which is not whole.
    const content = Buffer.from(Array.from({ length: 300_001 }, (_, at) => `line ${at}\n`).join(''))
    const again = Buffer.alloc(2 * 1024 * 1024, 'z')
    const [written] = await Promise.all([
      agent.write('large', content, null, never),
      agent.write('whole-parts', again, null, never),
    ])
    const sha256 = digest(content.toString())
    expect(written).toMatchObject({ kind: 'ok', value: { sha256 } })
    const contentBase64 = content.toString('base64')
    expect(await agent.read('large', 4_000_000, never)).toMatchObject({ value: { contentBase64 } })
    expect(readFileSync(join(workspace, 'whole-parts')).equals(again)).toBe(true)
    const replaced = await agent.write('large', Buffer.from('small'), null, never)
    expect(replaced).toMatchObject({ value: { previousBase64: null } })
  })

  it('takes folders away with a removed file as far as they are empty and asked for', async () => {
    await agent.write('p/q/r/file', Buffer.from('x'), 'absent', never)
    writeFileSync(join(workspace, 'p/stays'), '')
    expect((await agent.remove('p/q/r/file', null, never, 3)).kind).toBe('ok')
    expect(readdirSync(join(workspace, 'p'))).toEqual(['stays'])
  })

  it('gives a new file the mode that it is told', async () => {
    await agent.write('tool.sh', Buffer.from('x'), 'absent', never, 0o4755)
    expect(lstatSync(join(workspace, 'tool.sh')).mode & 0o7777).toBe(0o755)
  })

  it('copies the file that was expected, with its mode, and nothing else', async () => {
    writeFileSync(join(workspace, 'from'), 'copied', { mode: 0o750 })
    const from = { path: 'from', expected: { sha256: digest('copied') } }
    const done = await agent.copy(from, { path: 'new/to', expected: 'absent' }, never)
    expect(done).toMatchObject({ value: { sha256: digest('copied'), made: 1 } })
    expect(lstatSync(join(workspace, 'new/to')).mode & 0o777).toBe(0o750)
    const refused = { kind: 'refused', reason: 'changed' }
    expect(await agent.copy(from, { path: 'new/to', expected: 'absent' }, never)).toEqual(refused)
    const other = { path: 'from', expected: { sha256: digest('other') } }
    expect(await agent.copy(other, { path: 'new/three', expected: null }, never)).toEqual(refused)
    expect(readdirSync(join(workspace, 'new'))).toEqual(['to'])
  })

  const identityOf = (path: string) => {
    const { dev, ino } = lstatSync(join(workspace, path))
    return { device: String(dev), inode: String(ino) }
  }

  it('moves a file or a folder to a free name, and refuses a taken one or another file', async () => {
    mkdirSync(join(workspace, 'folder/sub'), { recursive: true })
    writeFileSync(join(workspace, 'folder/sub/file'), 'moved')
    const folder = { path: 'folder', expected: null, identity: identityOf('folder') }
    expect((await agent.move(folder, 'renamed', never)).kind).toBe('ok')
    const file = {
      path: 'renamed/sub/file',
      expected: { sha256: digest('moved') },
      identity: identityOf('renamed/sub/file'),
    }
    writeFileSync(join(workspace, 'taken'), '')
    expect(await agent.move(file, 'taken', never)).toEqual({ kind: 'refused', reason: 'exists' })
    expect(await agent.move(file, 'no/folder', never)).toEqual({ kind: 'refused', reason: 'absent' })
    const another = { ...file, identity: identityOf('taken') }
    expect(await agent.move(another, 'free', never)).toEqual({ kind: 'refused', reason: 'changed' })
    expect((await agent.move(file, 'free', never)).kind).toBe('ok')
    expect(readFileSync(join(workspace, 'free'), 'utf8')).toBe('moved')
  })

  it('says where a link inside the workspace led, and changes nothing through one', async () => {
    mkdirSync(join(workspace, 'real/deep'), { recursive: true })
    writeFileSync(join(workspace, 'real/deep/a.txt'), 'a')
    symlinkSync('real', join(workspace, 'alias'))
    const seen = async (path: string) => await agent.stat(path, { hash: true }, never)
    expect(await seen('alias/deep/a.txt')).toMatchObject({ value: { kind: 'file', path: 'real/deep/a.txt' } })
    expect(await seen('alias/deep')).toMatchObject({ value: { kind: 'directory', path: 'real/deep' } })
    expect(await seen('alias/new/b.txt')).toMatchObject({ value: { kind: 'absent', path: 'real/new/b.txt' } })
    expect(await seen('.')).toMatchObject({ value: { path: '.', besideHead: false } })
    expect(await agent.read('alias/deep/a.txt', 9, never)).toMatchObject({
      value: { path: 'real/deep/a.txt' },
    })
    expect(await agent.list('alias', { depth: 1, maxEntries: 9 }, never)).toMatchObject({
      value: { path: 'real' },
    })
    const identity = { device: '0', inode: '0' }
    const refused = { kind: 'refused', reason: 'symlink' }
    expect(await agent.write('alias/deep/a.txt', Buffer.alloc(0), null, never)).toEqual(refused)
    expect(await agent.write('alias/b.txt', Buffer.alloc(0), null, never)).toEqual(refused)
    expect(await agent.remove('alias/deep/a.txt', null, never)).toEqual(refused)
    expect(await agent.makeFolder('alias/c', never)).toEqual(refused)
    expect(await agent.removeFolder('alias/deep', 1, never)).toEqual(refused)
    const to = { path: 'alias/copy.txt', expected: null }
    expect(await agent.copy({ path: 'real/deep/a.txt', expected: null }, to, never)).toEqual(refused)
    expect(await agent.copy({ path: 'alias/deep/a.txt', expected: null }, to, never)).toEqual(refused)
    const moved = { path: 'real/deep/a.txt', expected: null, identity }
    expect(await agent.move(moved, 'alias/x', never)).toEqual(refused)
    expect(await agent.move({ ...moved, path: 'alias/deep/a.txt' }, 'y', never)).toEqual(refused)
    expect(readFileSync(join(workspace, 'real/deep/a.txt'), 'utf8')).toBe('a')
  })

  it('says when a folder on the way holds HEAD', async () => {
    mkdirSync(join(workspace, 'bare/hooks'), { recursive: true })
    const beside = async (path: string) => await agent.stat(path, { hash: false }, never)
    expect(await beside('bare/hooks/x')).toMatchObject({ value: { besideHead: false } })
    writeFileSync(join(workspace, 'bare/HEAD'), '')
    for (const path of ['bare/config', 'bare/hooks/x', 'bare/objects/deep/x'])
      expect(await beside(path)).toMatchObject({ value: { besideHead: true } })
    expect(await beside('bare')).toMatchObject({ value: { besideHead: false } })
  })

  it('says which repository something lies in, by the nearest folder that holds .git', async () => {
    mkdirSync(join(workspace, 'outer/inner/.git'), { recursive: true })
    mkdirSync(join(workspace, 'outer/.git/hooks'), { recursive: true })
    mkdirSync(join(workspace, 'plain'))
    mkdirSync(join(workspace, 'outer/module'))
    for (const path of ['plain/.git', 'outer/module/.git'])
      writeFileSync(join(workspace, path), 'gitdir: ../outer/.git')
    const seen = async (path: string) => await agent.stat(path, { hash: false }, never)
    const all = { 'outer/a.ts': 'outer', 'outer/new/deep/a.ts': 'outer', 'outer/.git/hooks/x': 'outer' }
    for (const [path, repository] of Object.entries({ ...all, 'outer/inner/a.ts': 'outer/inner' }))
      expect(await seen(path)).toMatchObject({ value: { repository } })
    for (const path of ['outer', 'plain/a.ts', 'outer/module/src/a.ts', 'a.ts', '.'])
      expect(await seen(path)).toMatchObject({ value: { repository: null } })
  })

  it('does not copy or move through a symlink to the outside', async () => {
    symlinkSync(outside, join(workspace, 'gate'))
    symlinkSync(join(outside, 'canary'), join(workspace, 'peephole'))
    writeFileSync(join(workspace, 'mine'), 'mine')
    const mine = { path: 'mine', expected: null, identity: identityOf('mine') }
    for (const path of ['gate/canary', 'peephole']) {
      expect((await agent.copy({ path, expected: null }, { path: 'loot', expected: null }, never)).kind).toBe(
        'refused',
      )
      const theirs = { path, expected: null, identity: identityOf(path) }
      expect((await agent.move(theirs, 'loot', never)).kind).toBe('refused')
    }
    expect((await agent.copy(mine, { path: 'gate/planted', expected: null }, never)).kind).toBe('refused')
    expect((await agent.move(mine, 'gate/planted', never)).kind).toBe('refused')
    expect((await agent.makeFolder('gate/planted', never)).kind).toBe('refused')
    expect((await agent.search('gate', everything, never)).kind).toBe('refused')
    expect(readdirSync(outside)).toEqual(['canary'])
    expect(existsSync(join(workspace, 'loot'))).toBe(false)
  })

  it('does not move a folder that holds a covered one', async () => {
    const secret = join(workspace, 'home/state')
    mkdirSync(secret, { recursive: true })
    mkdirSync(join(workspace, 'home/other'))
    const probe = await probeBubblewrap({ workspace, hidden: [secret] })
    if (probe.kind === 'unavailable') throw new Error(probe.reason)
    const covering = createFileAgent({ sandbox: probe.sandbox })
    const home = { path: 'home', expected: null, identity: identityOf('home') }
    expect(await covering.move(home, 'elsewhere', never)).toEqual({
      kind: 'refused',
      reason: 'outside-workspace',
    })
    const other = { path: 'home/other', expected: null, identity: identityOf('home/other') }
    expect((await covering.move(other, 'elsewhere', never)).kind).toBe('ok')
    await covering.close()
  })

  it('makes folders and removes only empty ones', async () => {
    expect(await agent.makeFolder('m/n/o', never)).toEqual({ kind: 'ok', value: { made: 3 } })
    expect(await agent.makeFolder('m/n/o', never)).toEqual({ kind: 'refused', reason: 'exists' })
    writeFileSync(join(workspace, 'm/n/file'), '')
    expect(await agent.removeFolder('m/n', 1, never)).toEqual({ kind: 'refused', reason: 'not-empty' })
    expect((await agent.removeFolder('m/n/o', 3, never)).kind).toBe('ok')
    expect(readdirSync(join(workspace, 'm/n'))).toEqual(['file'])
    expect(await agent.removeFolder('m/n/file', 1, never)).toEqual({
      kind: 'refused',
      reason: 'not-a-directory',
    })
  })

  const everything = { query: 'needle', names: true, contents: true, maxMatches: 50, without: [] }

  it('finds names and lines, passes over binaries and repositories, and follows no link', async () => {
    for (const folder of ['s/deep', 's/.git', 's/node_modules']) {
      mkdirSync(join(workspace, folder), { recursive: true })
      writeFileSync(join(workspace, folder, 'Needle.txt'), 'hay\n  a NEEDLE here\nhay')
    }
    writeFileSync(join(workspace, 's/binary'), Buffer.from('needle\0'))
    symlinkSync(join(outside, 'canary'), join(workspace, 's/link'))
    expect(await agent.search('s', everything, never)).toMatchObject({
      value: {
        truncated: false,
        matches: [
          { path: 's/deep/Needle.txt', line: null },
          { path: 's/deep/Needle.txt', line: 2, text: 'a NEEDLE here' },
        ],
      },
    })
    const pattern = await agent.search('s', { ...everything, query: 'n?edle*.txt' }, never)
    expect(pattern).toMatchObject({ value: { matches: [{ path: 's/deep/Needle.txt' }] } })
    const canary = await agent.search('', { ...everything, query: 'CANARY', names: false }, never)
    expect(canary).toMatchObject({ value: { matches: [] } })
  })

  it('passes over what it is told to, with all that is in it, and says what it met', async () => {
    for (const folder of ['notes/web', 'notes/own']) {
      mkdirSync(join(workspace, folder), { recursive: true })
      writeFileSync(join(workspace, folder, 'needle.md'), 'needle')
    }
    writeFileSync(join(workspace, 'notes/page.md'), 'needle')
    const without = ['notes/web', 'notes/page.md', 'notes/gone.md']
    expect(await agent.search('notes', { ...everything, without }, never)).toMatchObject({
      value: {
        matches: [{ path: 'notes/own/needle.md' }, { path: 'notes/own/needle.md', line: 1 }],
        passed: ['notes/page.md', 'notes/web'],
      },
    })
  })

  it('passes over other names of what it is told to pass over', async () => {
    for (const folder of ['twice/web/deep', 'twice/own'])
      mkdirSync(join(workspace, folder), { recursive: true })
    const write = (path: string) => writeFileSync(join(workspace, 'twice', path), 'needle')
    for (const path of ['web/deep/a.md', 'page.md', 'own/mine.md']) write(path)
    const name = (path: string, second: string) =>
      linkSync(join(workspace, 'twice', path), join(workspace, 'twice/own', second))
    name('web/deep/a.md', 'a.md')
    name('page.md', 'b.md')
    name('own/mine.md', 'c.md')
    const without = ['twice/web', 'twice/page.md', 'twice/gone/x.md']
    const found = { ...everything, names: false, without }
    expect(await agent.search('twice/own', found, never)).toMatchObject({
      value: {
        matches: [{ path: 'twice/own/c.md' }, { path: 'twice/own/mine.md' }],
        passed: ['twice/web', 'twice/page.md'],
      },
    })
  })

  it('ends a search at the number of matches and soon in spite of a hostile pattern', async () => {
    mkdirSync(join(workspace, 'many'))
    for (let index = 0; index < 30; index += 1)
      writeFileSync(join(workspace, 'many', `${'a'.repeat(240)}${index}`), '')
    const few = await agent.search('many', { ...everything, query: 'aaa', maxMatches: 5 }, never)
    expect(few).toMatchObject({ value: { truncated: true, matches: { length: 5 } } })
    const hostile = await agent.search('many', { ...everything, query: `${'*a'.repeat(120)}b` }, never)
    expect(hostile).toMatchObject({ value: { matches: [] } })
  })
})
