import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sha256Hex } from '@countersign/contract/node'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { sized } from '../../../../tests/size.ts'
import { placeProgram } from './place-program.ts'
import { openView, treeOf, type ViewedWorkspace } from './testing/view.ts'
import { treeProgram } from './tree-program.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-kept-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let folder: string
let view: ViewedWorkspace
const at = (path: string) => join(view.workspace, path)

beforeEach(async () => {
  folder = mkdtempSync(join(root, 'test-'))
  view = await openView(folder)
})

function put(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), text)
  chmodSync(at(path), mode)
}

async function undo(id: string | null): Promise<string | null> {
  const reply = await view.kept.restore(id ?? '')
  expect(reply).toMatchObject({ conflicts: [], tooMuch: null })
  return reply.id
}

/** Does it, takes it back and does it again; gives what it changed. */
async function thereAndBack(command: string): Promise<readonly string[]> {
  const before = treeOf(view.workspace)
  const { result, taken } = await view.run(command)
  expect(result).toMatchObject({ kind: 'exited', code: 0, stderr: '' })
  expect(taken).toMatchObject({ conflicts: [], left: [], tooMuch: null })
  const after = treeOf(view.workspace)
  expect(after).not.toEqual(before)
  const paths = await view.kept.paths(taken.id ?? '')
  const again = await undo(taken.id)
  expect(treeOf(view.workspace)).toEqual(before)
  await undo(again)
  expect(treeOf(view.workspace)).toEqual(after)
  return paths?.toSorted() ?? []
}

describe('what a program changed', () => {
  it('is listed exactly and given back as a whole', async () => {
    put('edit.txt', 'one', 0o640)
    put('same.txt', 'same')
    put('gone/deep/a', 'a')
    put('gone/b', 'b')
    put('file-then-folder', 'x')
    put('folder-then-file/y', 'y')
    put('locked/in', 'in')
    mkdirSync(at('empty'))
    symlinkSync('edit.txt', at('link'))
    symlinkSync('/etc', at('out'))
    linkSync(at('same.txt'), at('same-again.txt'))
    chmodSync(at('locked'), 0o555)
    const paths = await thereAndBack(
      [
        'echo two > edit.txt; cat same.txt > /dev/null; rm -r gone empty; mkdir empty-too',
        'rm file-then-folder; mkdir file-then-folder; echo z > file-then-folder/z',
        'rm -r folder-then-file; echo f > folder-then-file',
        'ln -sfn same.txt link; echo 1 > one-name; ln one-name other-name',
        'chmod 755 locked; echo more > locked/more; chmod 555 locked; chmod 600 same-again.txt',
        "printf x > $'latin-\\xe9'; mkdir -m 700 private; echo p > private/p",
      ].join('\n'),
    )
    expect(paths).toEqual(
      (
        'edit.txt empty empty-too file-then-folder file-then-folder/z folder-then-file folder-then-file/y gone ' +
        'gone/b gone/deep gone/deep/a latin-\ufffd link locked locked/more one-name other-name private private/p ' +
        'same-again.txt'
      )
        .split(' ')
        .toSorted(),
    )
    expect(statSync(at('one-name')).ino).toBe(statSync(at('other-name')).ino)
    chmodSync(at('locked'), 0o755)
  })

  it('is given back byte for byte in a large tree', async () => {
    const count = sized(10_000, 400)
    for (let index = 0; index < count; index += 1) put(`d${index % 100}/f${index}`, `${index}`)
    const command = 'rm -r d1 d2; for f in d3/*; do echo new > $f; done; cp -r d4 copy; chmod -R go-r d5'
    expect((await thereAndBack(command)).length).toBeGreaterThan(count / 30)
  }, 120_000)

  it('is what git, tar, sqlite and python do', async () => {
    await thereAndBack(
      'git init -q src && cd src && git config user.email a@b.test && git config user.name a && echo 1 > f && git add . && git commit -qm one',
    )
    await thereAndBack('git clone -q src dst && cd dst && git log -1 --format=%s')
    await thereAndBack('cd src && echo 2 > f && git -c gc.auto=0 commit -qam two && git gc -q')
    await thereAndBack('mkdir t && echo a > t/a && ln t/a t/b && tar cf t.tar t && rm -r t && tar xf t.tar')
    await thereAndBack('sqlite3 data.db "create table a(b); insert into a values(1)"')
    await thereAndBack('sqlite3 data.db "insert into a values(2)" && mv src moved')
    await thereAndBack('python3 -m venv --without-pip env')
  }, 120_000)

  it('is not given back over what somebody changed since', async () => {
    put('a', '1')
    put('b', '1')
    const { taken } = await view.run('echo 2 > a; echo 2 > b')
    put('b', 'mine')
    expect(await view.kept.look(taken.id ?? '', ['a', 'b'])).toMatchObject({ conflicts: ['b'] })
    expect(await view.kept.restore(taken.id ?? '')).toMatchObject({ conflicts: ['b'], id: null })
    expect(readFileSync(at('a'), 'utf8')).toBe('2\n')
    await expect(view.kept.restore('0'.repeat(32))).rejects.toThrow('not kept')
    await expect(view.kept.restore('../../workspace')).rejects.toThrow('not kept')
  })

  it('is not taken over where somebody changed the same meanwhile, and nothing else of it is', async () => {
    put('a', '1')
    put('folder/b', '1')
    for (const meanwhile of [
      () => put('a', 'mine'),
      () => put('folder/new', 'mine'),
      () => {
        rmSync(at('a'))
        symlinkSync('/etc/passwd', at('a'))
      },
    ]) {
      const { taken } = await view.run('echo 2 > a; rm -r folder; echo new > new', meanwhile)
      expect(taken.conflicts.length).toBeGreaterThan(0)
      expect(taken.id).toBeNull()
      expect(existsSync(at('new'))).toBe(false)
    }
    expect(readdirSync(join(folder, 'kept'))).toEqual([])
  })

  it('does not remove or replace a folder into which somebody moved something meanwhile', async () => {
    put('dd/old', '1')
    put('keep/k', 'mine')
    put('imp/i', 'mine')
    const moved = await view.run('rm -r dd', () => renameSync(at('keep'), at('dd/keep')))
    expect(moved.taken).toMatchObject({ conflicts: expect.arrayContaining(['dd']), id: null })
    expect(readFileSync(at('dd/keep/k'), 'utf8')).toBe('mine')
    const named = await view.run('echo x > out', () => renameSync(at('imp'), at('out')))
    expect(named.taken).toMatchObject({ conflicts: ['out'], id: null })
    expect(readFileSync(at('out/i'), 'utf8')).toBe('mine')
  })

  it('is written into no folder that somebody moved out of the way', () => {
    const host = treeProgram(view.workspace)
    const placing = placeProgram(host, 'x')
    put('d/f', 'old')
    mkdirSync(join(folder, 'old'))
    const before = host.entry('d/f', host.stat('d/f') as never) ?? null
    const after = before?.kind === 'file' ? { ...before, sha256: sha256Hex('new'), bytes: 'f' } : null
    mkdirSync(join(folder, 'new'))
    writeFileSync(join(folder, 'new/f'), 'new')
    const list = placing.keep([{ path: 'd/f', before, after }], join(folder, 'old'))
    if ('moved' in list) throw new Error('it moved too early')
    renameSync(at('d'), join(folder, 'elsewhere'))
    put('d/f', 'mine')
    const source = treeProgram(join(folder, 'new'))
    expect(placing.place(list, source, treeProgram(join(folder, 'old')))).toContain('d/f')
    expect(readFileSync(join(folder, 'elsewhere/f'), 'utf8')).toBe('old')
    expect(readFileSync(at('d/f'), 'utf8')).toBe('mine')
  })

  it('never holds pipes, sockets or what runs as its owner, and leaves those of the host alone', async () => {
    await view.run('mkfifo host-pipe || python3 -c "import os; os.mkfifo(\'host-pipe\')"')
    const { taken } = await view.run('mkfifo pipe; echo x > x')
    expect(taken).toMatchObject({ left: ['pipe'], count: 1 })
    expect(existsSync(at('pipe'))).toBe(false)
    put('owned', 'x')
    chmodSync(at('owned'), 0o4755)
    expect((await view.run('echo y > owned; chmod 755 owned; rm owned')).taken.left).toEqual(['owned'])
    expect(statSync(at('owned')).mode & 0o7777).toBe(0o4755)
  })

  it('cannot be a whiteout or a mark of the layer that a command made itself', async () => {
    put('kept/a', 'a')
    const attack = `import os
for act in (lambda: os.mknod('kept/a', 0o020000, 0), lambda: os.mknod('white', 0o020000, 0),
            lambda: os.setxattr('kept', 'user.overlay.opaque', b'y'),
            lambda: os.setxattr('kept', 'user.overlay.redirect', b'/etc')):
    try: act()
    except OSError: pass
`
    writeFileSync(at('attack.py'), attack)
    const { taken } = await view.run('python3 attack.py; ls kept')
    expect(taken.conflicts).toEqual([])
    expect(readFileSync(at('kept/a'), 'utf8')).toBe('a')
    expect(existsSync(at('white'))).toBe(false)
  })

  it('has ended when it is taken over: what went to the background writes nothing more', async () => {
    const { taken } = await view.run('(setsid sh -c "sleep 1; echo late > late" &) ; echo now > now')
    expect(taken).toMatchObject({ count: 1 })
    await sleep(1_500)
    expect(existsSync(at('late'))).toBe(false)
    expect(readFileSync(at('now'), 'utf8')).toBe('now\n')
  })
})

describe('placing', () => {
  /** A list that writes `new` to each of the paths, which hold `old` now. */
  function prepare(paths: readonly string[]) {
    for (const path of paths) put(path, 'old')
    const source = join(folder, 'source')
    mkdirSync(source)
    mkdirSync(join(folder, 'old'))
    writeFileSync(join(source, 'new'), 'new')
    const entry = (text: string, bytes: string) => {
      const sha256 = sha256Hex(text)
      return { kind: 'file', mode: 0o644, size: 3, modifiedMs: 0, sha256, bytes, same: null } as const
    }
    const list = paths.map((path) => ({ path, before: entry('old', path), after: entry('new', 'new') }))
    const placing = placeProgram(treeProgram(view.workspace), 'id')
    const kept = placing.keep(list, join(folder, 'old'))
    if ('moved' in kept) throw new Error(kept.moved)
    const place = () => placing.place(kept, treeProgram(source), treeProgram(join(folder, 'old')))
    return { place, kept }
  }

  it('gives all back when a file was swapped for a link after it was looked at', () => {
    const outside = join(folder, 'outside')
    writeFileSync(outside, 'mine')
    const { place } = prepare(['a', 'b', 'z'])
    rmSync(at('z'))
    symlinkSync(outside, at('z'))
    expect(place()).toContain('z')
    expect([readFileSync(at('a'), 'utf8'), readFileSync(outside, 'utf8')]).toEqual(['old', 'mine'])
    expect(readdirSync(view.workspace).toSorted()).toEqual(['a', 'b', 'z'])
  })

  it('does not go through a folder that is a link by now', () => {
    const outside = join(folder, 'elsewhere')
    mkdirSync(outside)
    writeFileSync(join(outside, 'f'), 'mine')
    const { place } = prepare(['a', 'd/f'])
    rmSync(at('d'), { recursive: true })
    symlinkSync(outside, at('d'))
    expect(place()).toContain('d/f')
    expect(readdirSync(outside)).toEqual(['f'])
    expect([readFileSync(at('a'), 'utf8'), readFileSync(join(outside, 'f'), 'utf8')]).toEqual(['old', 'mine'])
  })
})

describe('a process that dies while changes are taken over', () => {
  it.each([0, 20, 60, 120])(
    'leaves the whole or nothing, %i ms after the first change',
    async (delay) => {
      const count = sized(3_000, 600)
      for (let index = 0; index < count; index += 1) put(`f${index}`, `${index}`)
      const before = treeOf(view.workspace)
      const script = `const { openView } = await import(${JSON.stringify(new URL('./testing/view.ts', import.meta.url).href)});
      const view = await openView(${JSON.stringify(folder)});
      await view.run('for f in f*; do echo new > $f; done; echo new > new')`
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' })
      const died = once(child, 'exit')
      const isBegun = () => readFileSync(at('f0'), 'utf8') === 'new\n'
      while (!isBegun() && child.exitCode === null) await sleep(1)
      await sleep(delay)
      child.kill('SIGKILL')
      await died
      await sleep(100)
      await view.reopen()
      const after = treeOf(view.workspace)
      const isWhole = after.length === count + 1
      if (!isWhole) expect(after).toEqual(before)
      for (const name of readdirSync(view.workspace))
        expect(readFileSync(at(name), 'utf8') === 'new\n').toBe(isWhole)
    },
    60_000,
  )
})
