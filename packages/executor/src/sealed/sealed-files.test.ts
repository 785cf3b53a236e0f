import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
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
import type { ApprovalSubject, Resource } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sandboxEnvironment, sandboxLimits } from '../confinement.ts'
import { createPrograms } from '../programs.ts'
import { probeBubblewrap } from '../sandbox/bubblewrap.ts'
import type { Sandbox, SandboxProfile } from '../sandbox/port.ts'
import { type KeptChanges, openKeptChanges } from './kept-changes.ts'
import { createProgramCopies } from './program-copies.ts'
import { createSealedFiles, type SealedFiles } from './sealed-files.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-sealed-')))
const workspace = join(folder, 'workspace')
const at = (path: string) => join(workspace, path)
let sandbox: Sandbox
let kept: KeptChanges
let bash: Resource
let sealedFolder: SealedFiles

beforeAll(async () => {
  mkdirSync(workspace)
  const probe = await probeBubblewrap({ workspace, hidden: [] })
  if (probe.kind !== 'available') throw new Error(probe.reason)
  sandbox = probe.sandbox
  kept = await openKeptChanges({ folder: join(folder, 'kept'), sandbox, now: () => new Date() })
  const program = await createPrograms(process.execPath).find('bash')
  if (!program) throw new Error('no bash')
  const shape = { argv: ['bash'], cwd: '.', environment: '0'.repeat(64), uninspectable: true, view: null }
  bash = { type: 'exec', ...program, ...shape }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(() => {
  rmSync(workspace, { recursive: true, force: true })
  mkdirSync(workspace)
})

function put(path: string, text: string): void {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(`${at(path)}.new`, text)
  renameSync(`${at(path)}.new`, at(path))
}

function bound(path: string, content: string | null): Resource {
  const identity = content === null ? 'absent' : { device: '1', inode: '1' }
  return {
    type: 'file',
    op: 'read',
    root: 'workspace',
    path,
    identity,
    content: content === null ? null : sha256Hex(content),
  } as Resource
}

let written: string[] = []

function open(...files: readonly Resource[]): SealedFiles {
  const subject = { resources: [bash, ...files] } as unknown as ApprovalSubject
  const copies = createProgramCopies(join(folder, 'programs'))
  sealedFolder = createSealedFiles(subject, {
    folder: join(folder, 'calls'),
    workspace,
    nodePath: process.execPath,
    copies,
  })
  return sealedFolder
}

async function run(command: string, meanwhile = () => {}, profile: SandboxProfile = 'workspace-write') {
  const sealed = await sealedFolder.layers({ unsealed: [], written })
  if (sealed.kind === 'changed') return sealed
  const { maxOutputBytes, maxMemoryBytes, maxProcesses } = sandboxLimits
  const { layers } = sealed
  meanwhile()
  const limits = { timeoutMs: 20_000, maxOutputBytes, maxMemoryBytes, maxProcesses }
  const argv = ['/bin/bash', '-c', command]
  const result = await sandbox.run(
    { argv, cwd: '.', env: sandboxEnvironment, profile, layers, ...limits },
    new AbortController().signal,
  )
  return { ...result, taken: await sealedFolder.takeOver(kept) }
}

describe('a sealed room', () => {
  it('gives a command the bytes that were compared, whatever stands there by then', async () => {
    put('a/job.sh', 'echo sealed')
    open(bound('a/job.sh', 'echo sealed'))
    const swap = () => {
      put('a/job.sh', 'echo swapped')
      renameSync(at('a'), at('b'))
      put('a/job.sh', 'echo swapped')
    }
    expect(await run('bash a/job.sh', swap)).toMatchObject({ stdout: 'sealed\n' })
    expect(await run('bash a/job.sh', undefined, 'read-only')).toMatchObject({ stdout: 'sealed\n' })
    await sealedFolder.close()
  })

  it('refuses bytes that are not those of the permit, and a name that is no longer free', async () => {
    put('job.sh', 'echo other')
    open(bound('job.sh', 'echo sealed'))
    expect(await run('true')).toEqual({
      kind: 'changed',
      reason: 'job.sh has changed since it was looked at.',
    })
    open(bound('job.sh', null))
    expect(await run('true')).toEqual({ kind: 'changed', reason: 'job.sh exists now.' })
    open(bound('gone.sh', 'x'))
    expect(await run('true')).toEqual({ kind: 'changed', reason: 'gone.sh is gone.' })
  })

  it('never follows a link that a command put in the way of a bound file', async () => {
    const outside = join(folder, 'outside')
    mkdirSync(join(outside, 'papers'), { recursive: true })
    writeFileSync(join(outside, 'papers/mine'), 'mine')
    put('d/papers', 'bound')
    open(bound('d/papers', 'bound'))
    const first = await run(`cat d/papers; rm -r d; ln -s ${outside} d`)
    expect(first).toMatchObject({ stdout: 'bound', taken: { conflicts: [] } })
    const second = await run('cat d/papers/mine')
    expect(JSON.stringify(second)).not.toContain('"stdout":"mine"')
    await sealedFolder.close()
    expect(readFileSync(join(outside, 'papers/mine'), 'utf8')).toBe('mine')
  })

  it('reports what was taken over where the folder of a bound file is gone', async () => {
    put('old/notes', 'bound')
    open(bound('old/notes', 'bound'))
    const result = await run('cat old/notes; rm -r old')
    expect(result).toMatchObject({ stdout: 'bound', taken: { conflicts: [], id: expect.any(String) } })
    expect(existsSync(at('old'))).toBe(false)
    await sealedFolder.close()
  })

  it('does not take over with the next command what was refused of the one before', async () => {
    put('index', '1')
    open()
    const refused = await run('echo program > index', () => put('index', 'mine'))
    expect(refused).toMatchObject({ taken: { conflicts: ['index'], id: null } })
    expect(await run('true')).toMatchObject({ taken: { conflicts: [], count: 0 } })
    expect(readFileSync(at('index'), 'utf8')).toBe('mine')
    await sealedFolder.close()
  })

  it('keeps a name free that must be free', async () => {
    put('x/one', '1')
    open(bound('x/absent', null))
    expect(await run('ls x', () => put('x/absent', 'now'))).toMatchObject({ stdout: 'one\n' })
    expect(readFileSync(at('x/absent'), 'utf8')).toBe('now')
  })

  it('seals the links on the way', async () => {
    put('real/job.sh', 'echo sealed')
    put('other/job.sh', 'echo swapped')
    symlinkSync('real', at('link'))
    open(bound('link/job.sh', 'echo sealed'))
    const turn = () => {
      rmSync(at('link'))
      symlinkSync('other', at('link'))
    }
    expect(await run('bash link/job.sh; cat other/job.sh', turn)).toMatchObject({
      stdout: 'sealed\necho swapped',
    })
    open(bound('real/job.sh', 'echo sealed'))
    written = ['real/job.sh', 'absent.sh', 'link/job.sh']
    expect(await run('true')).toEqual({ kind: 'changed', reason: 'link/job.sh leads elsewhere.' })
    written = []
    symlinkSync('/etc', at('out'))
    open(bound('out/passwd', 'x'))
    expect(await run('true')).toEqual({ kind: 'changed', reason: 'out/passwd leads elsewhere.' })
  })

  it('runs the program that was hashed', async () => {
    open()
    const copies = join(folder, 'programs')
    expect(await run('readlink /proc/self/exe; cmp /usr/bin/bash /bin/bash')).toMatchObject({ code: 0 })
    const content = bash.type === 'exec' ? bash.content : ''
    expect(sha256Hex(readFileSync(join(copies, content)))).toBe(content)
    const wrong = { path: '/usr/bin/bash', content: '0'.repeat(64) }
    expect(await createProgramCopies(copies).copyOf(wrong)).toBeUndefined()
    expect(existsSync(join(copies, wrong.content))).toBe(false)
  })

  it('takes over what a command did to bound files and others, with their permissions', async () => {
    put('edit.txt', 'one two')
    put('gone.txt', 'x')
    put('old/a', 'a')
    put('old/b', 'b')
    chmodSync(at('edit.txt'), 0o640)
    open(bound('edit.txt', 'one two'), bound('gone.txt', 'x'))
    const command =
      'sed -i s/one/three/ edit.txt; mv gone.txt moved.txt; rm -r old; mkdir old; echo c > old/c; ln -s old link; mkdir -p n/m; echo 1 > n/m/f; chmod 700 n'
    expect(await run(command)).toMatchObject({ code: 0, taken: { conflicts: [], left: [] } })
    expect(readFileSync(at('edit.txt'), 'utf8')).toBe('three two')
    expect(statSync(at('edit.txt')).mode & 0o777).toBe(0o640)
    expect(existsSync(at('gone.txt'))).toBe(false)
    expect(readFileSync(at('moved.txt'), 'utf8')).toBe('x')
    expect(existsSync(at('old/a'))).toBe(false)
    expect(readFileSync(at('link/c'), 'utf8')).toBe('c\n')
    expect(readFileSync(at('n/m/f'), 'utf8')).toBe('1\n')
    expect(statSync(at('n')).mode & 0o777).toBe(0o700)
  })

  it('takes nothing over where something cannot be read, and says so in a sentence', async () => {
    put('plan.md', 'mine')
    open()
    await expect(run('echo theirs > plan.md; echo x > locked; chmod 000 locked')).rejects.toThrow(
      /^what the command changed could not be taken over: it left a file or folder that cannot be read$/,
    )
    expect(readFileSync(at('plan.md'), 'utf8')).toBe('mine')
    await sealedFolder.close()
  })

  it('takes nothing over where others changed the same file, bound or not', async () => {
    put('edit.txt', 'one')
    put('plain.txt', 'one')
    open(bound('edit.txt', 'one'))
    const both = await run('echo two >> edit.txt; echo new > new.txt', () => put('edit.txt', 'theirs'))
    expect(both).toMatchObject({ taken: { conflicts: ['edit.txt'] } })
    expect(readFileSync(at('edit.txt'), 'utf8')).toBe('theirs')
    expect(existsSync(at('new.txt'))).toBe(false)
    await sealedFolder.close()
    open(bound('edit.txt', 'theirs'))
    const plain = await run('rm plain.txt', () => put('plain.txt', 'theirs'))
    expect(plain).toMatchObject({ taken: { conflicts: ['plain.txt'] } })
    expect(readFileSync(at('plain.txt'), 'utf8')).toBe('theirs')
  })

  it('shows the next command what the last one did to a bound file', async () => {
    put('count', '1\n')
    open(bound('count', '1\n'))
    expect(await run('echo 2 >> count; rm -f absent')).toMatchObject({ taken: { conflicts: [] } })
    expect(await run('cat count; echo 3 >> count')).toMatchObject({
      stdout: '1\n2\n',
      taken: { conflicts: [] },
    })
    expect(readFileSync(at('count'), 'utf8')).toBe('1\n2\n3\n')
    await sealedFolder.close()
  })
})
