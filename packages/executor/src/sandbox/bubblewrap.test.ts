import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { probeBubblewrap } from './bubblewrap.ts'
import { sandboxContract } from './contract.ts'
import type { Sandbox, SandboxCommand } from './port.ts'

sandboxContract('bubblewrap', async (place) => {
  const probe = await probeBubblewrap(place)
  if (probe.kind === 'unavailable') throw new Error(`${probe.reason}. ${probe.fix}`)
  return probe.sandbox
})

describe('local sockets', () => {
  const bound = 'import socket; socket.socket(socket.AF_UNIX).bind("/tmp/own.sock"); print("bound")'
  const command = {
    argv: ['python3', '-c', bound],
    cwd: '.',
    env: {},
    profile: 'read-only',
    timeoutMs: 20_000,
    maxOutputBytes: 10_000,
    maxMemoryBytes: 0,
    maxProcesses: 20,
  } as const
  let folder: string
  let sandbox: Sandbox

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'local-sockets-'))
    const probe = await probeBubblewrap({ workspace: folder, hidden: [] })
    if (probe.kind === 'unavailable') throw new Error(probe.reason)
    sandbox = probe.sandbox
  })
  afterEach(() => rmSync(folder, { recursive: true }))
  const run = (more: Partial<SandboxCommand>) =>
    sandbox.run({ ...command, ...more }, new AbortController().signal)

  it('are there where they were asked for, and no others of that kind', async () => {
    expect(await run({ instead: [], localSockets: true })).toMatchObject({ code: 0, stdout: 'bound\n' })
    const others = ['python3', '-c', 'import socket; socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)']
    expect(await run({ instead: [], localSockets: true, argv: others })).toMatchObject({ code: 1 })
    expect(await run({ instead: [] })).toMatchObject({ code: 1 })
  })

  it('are refused where the workspace is', async () => {
    await expect(run({ localSockets: true })).rejects.toThrow('no local sockets')
  })
})

describe('the probe for bubblewrap', () => {
  let folder: string
  let workspace: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sandbox-probe-'))
    workspace = join(folder, 'workspace')
    mkdirSync(workspace)
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** A bubblewrap that leaves out or changes words of its arguments before it hands them on. */
  function dishonest(edit: string): string {
    const path = join(folder, 'bwrap')
    const text = `#!/usr/bin/python3
import os, sys
words = b''.join(iter(lambda: os.read(3, 65536), b'')).decode().split('\\0')
${edit}
reader = os.memfd_create('words')
os.write(reader, '\\0'.join(words).encode())
os.lseek(reader, 0, 0)
os.dup2(reader, 3)
os.execv('/usr/bin/bwrap', ['bwrap', *sys.argv[1:]])
`
    writeFileSync(path, text, { mode: 0o755 })
    return path
  }

  it('is available when bubblewrap does all that it is told', async () => {
    expect(await probeBubblewrap({ workspace, hidden: [], bubblewrapPath: dishonest('') })).toMatchObject({
      kind: 'available',
    })
  })

  it('is unavailable with a reason and a fix when bubblewrap is missing', async () => {
    expect(await probeBubblewrap({ workspace, hidden: [], bubblewrapPath: '/nonexistent/bwrap' })).toEqual({
      kind: 'unavailable',
      reason: 'bubblewrap is not installed',
      fix: 'apt-get install bubblewrap',
    })
  })

  it('is unavailable when prlimit is missing', async () => {
    const probe = await probeBubblewrap({ workspace, hidden: [], prlimitPath: '/nonexistent/prlimit' })
    expect(probe).toMatchObject({ kind: 'unavailable', fix: 'apt-get install util-linux' })
  })

  it('is unavailable when Node is missing, or is something that does not start', async () => {
    for (const nodePath of ['/nonexistent/node', '/etc/passwd', '/usr/bin/false']) {
      expect(await probeBubblewrap({ workspace, hidden: [], nodePath })).toMatchObject({
        kind: 'unavailable',
        reason: expect.stringMatching(/Node|did not end well/),
      })
    }
  })

  it('is unavailable when what stands in for bubblewrap does not isolate', async () => {
    const probe = await probeBubblewrap({ workspace, hidden: [], bubblewrapPath: '/usr/bin/true' })
    expect(probe.kind).toBe('unavailable')
  })

  const withoutAll =
    "words[0:1] = ['--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts']"
  it.each([
    ['the network', `${withoutAll}; words.remove('--unshare-net')`, 'net namespace'],
    [
      'the hostname',
      `${withoutAll}; words.remove('--unshare-uts'); i = words.index('--hostname'); del words[i:i+2]`,
      'uts namespace',
    ],
    ['memory between processes', `${withoutAll}; words.remove('--unshare-ipc')`, 'ipc namespace'],
    ['the filter', "i = words.index('--seccomp'); del words[i:i+2]", 'system-call filter'],
  ])('is unavailable when bubblewrap does not separate %s', async (_what, edit, reason) => {
    const probe = await probeBubblewrap({ workspace, hidden: [], bubblewrapPath: dishonest(edit) })
    expect(probe).toMatchObject({ kind: 'unavailable', reason: expect.stringContaining(reason) })
  })

  it('refuses the root, the state directory or nothing as a workspace', async () => {
    for (const place of ['/', workspace, '/nonexistent/workspace']) {
      expect((await probeBubblewrap({ workspace: place, hidden: [workspace] })).kind).toBe('unavailable')
    }
  })

  it('makes a sandbox in which not even the own settings of a process can be written', async () => {
    const probe = await probeBubblewrap({ workspace, hidden: [] })
    if (probe.kind === 'unavailable') throw new Error(probe.reason)
    const result = await probe.sandbox.run(
      {
        argv: ['/bin/sh', '-c', 'echo 0 > /proc/self/oom_score_adj'],
        cwd: '',
        env: {},
        profile: 'workspace-write',
        timeoutMs: 5_000,
        maxOutputBytes: 1_000,
        maxMemoryBytes: 1024 ** 3,
        maxProcesses: 16,
      },
      new AbortController().signal,
    )
    expect(result).toMatchObject({ kind: 'exited', stderr: expect.stringContaining('Read-only') })
  })
})
