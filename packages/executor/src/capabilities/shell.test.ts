import { connect, createServer, type Server } from 'node:net'
import type { ApprovalSubject, ExecResource, Resource } from '@countersign/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { sandboxLimits } from '../confinement.ts'
import { createPrograms } from '../programs.ts'
import type { Sandbox, SandboxCommand, SandboxResult } from '../sandbox/port.ts'
import type { KeptChanges, KeptReply } from '../sealed/kept-changes.ts'
import type { SealedFiles } from '../sealed/sealed-files.ts'
import { shellCapabilities } from './shell.ts'

const programs = createPrograms(process.execPath)
const ended: SandboxResult = {
  kind: 'exited',
  code: 0,
  signal: null,
  stdout: 'out',
  stderr: '',
  truncated: false,
  durationMs: 1,
}

const nothing: KeptReply = { conflicts: [], left: [], count: 0, tooMuch: null, id: null }
let commands: SandboxCommand[]
const sandbox: Sandbox = {
  name: 'fake',
  layered: true,
  async run(command) {
    commands.push(command)
    return ended
  },
  start: () => {
    throw new Error('no services here')
  },
}
let sealing: Awaited<ReturnType<SealedFiles['layers']>>
let taken: KeptReply
let dropped: string[]
const kept = { drop: async (id: string) => void dropped.push(id) } as KeptChanges
const sealed: SealedFiles = {
  layers: () => Promise.resolve(sealing),
  takeOver: () => Promise.resolve(taken),
  hide: () => undefined,
  hidden: () => [],
  hold: () => Promise.reject(new Error('nothing is held here')),
  close: () => Promise.resolve(),
}
beforeEach(() => {
  sealing = { kind: 'sealed', layers: { sealedFolder: '/sealed', node: null, workspace: 'sealed' } }
  taken = nothing
  dropped = []
  commands = []
})

async function exec(changes: Partial<ExecResource> = {}): Promise<ExecResource> {
  const program = await programs.find('bash')
  if (!program) throw new Error('no bash')
  const argv = ['bash', '-c', 'echo one']
  return {
    type: 'exec',
    ...program,
    argv,
    cwd: '.',
    environment: '0'.repeat(64),
    uninspectable: true,
    view: null,
    ...changes,
  }
}

function capabilities(resources: readonly Resource[], held = 'workspace-write:0') {
  const subject = { resources, sandbox: held } as unknown as ApprovalSubject
  const places = { ports: [], allowPrivate: [] }
  return shellCapabilities(subject, { sandbox, sealed, kept, held: undefined, programs, places })
}

const usual = {
  argv: ['bash', '-c', 'echo one'],
  cwd: '.',
  timeoutMs: 1_000,
  signal: new AbortController().signal,
}

describe('the capabilities on programs', () => {
  it('run the command that the permit names, by its name or its path, with its input', async () => {
    const shell = capabilities([await exec()])
    expect(await shell.run({ ...usual, stdin: 'typed' })).toMatchObject({ kind: 'ran', stdout: 'out' })
    await shell.run({ ...usual, argv: ['/bin/bash', '-c', 'echo one'] })
    expect(commands).toMatchObject([
      { argv: ['bash', '-c', 'echo one'], stdin: 'typed', profile: 'workspace-write', timeoutMs: 1_000 },
      { argv: ['/bin/bash', '-c', 'echo one'] },
    ])
  })

  it('run with the bytes that the permit binds, and not at all with others', async () => {
    const shell = capabilities([await exec()])
    await shell.run(usual)
    expect(commands).toMatchObject([{ layers: { sealedFolder: '/sealed' } }])
    sealing = { kind: 'changed', reason: 'job.sh has changed since it was looked at.' }
    expect(await shell.run(usual)).toEqual({ kind: 'failed', reason: sealing.reason })
    expect(commands).toHaveLength(1)
  })

  it('say when nothing was kept because others changed the same files', async () => {
    taken = { ...nothing, conflicts: ['notes.txt'] }
    const end = { kind: 'changed', paths: ['notes.txt'] }
    expect(await capabilities([await exec()]).run(usual)).toMatchObject({ kind: 'ran', end, stdout: 'out' })
    expect(await capabilities([await exec()], 'read-only:0').run(usual)).toMatchObject({ end: { code: 0 } })
  })

  it('say when a command changed too much, and keep what it changed only for those who undo it', async () => {
    taken = { ...nothing, tooMuch: 'it changed more than 3 files and folders' }
    expect(await capabilities([await exec()]).run(usual)).toMatchObject({ end: { kind: 'too-much' } })
    taken = { ...nothing, count: 1, id: 'a' }
    expect(await capabilities([await exec()]).run({ ...usual, undoable: true })).toMatchObject({ kept: 'a' })
    expect(dropped).toEqual([])
    expect(await capabilities([await exec()]).run(usual)).toMatchObject({ kept: null })
    expect(dropped).toEqual(['a'])
  })

  it.each([
    ['another word', { argv: ['bash', '-c', 'echo two'] }],
    ['one word more', { argv: ['bash', '-c', 'echo one', 'x'] }],
    ['one word less', { argv: ['bash', '-c'] }],
    ['the same words cut elsewhere', { argv: ['bash', '-c', 'echo', 'one'] }],
    ['another program with the same words', { argv: ['/usr/bin/env', '-c', 'echo one'] }],
    ['another name of the same words', { argv: ['sh', '-c', 'echo one'] }],
    ['a program that is not there', { argv: ['/usr/bin/absent', '-c', 'echo one'] }],
    ['a program of the workspace', { argv: ['./bash', '-c', 'echo one'] }],
    ['nothing', { argv: [] }],
    ['another directory', { cwd: 'sub' }],
  ])('refuse %s', async (_what, changes) => {
    expect(await capabilities([await exec()]).run({ ...usual, ...changes })).toEqual({
      kind: 'failed',
      reason: 'The permit names another command.',
    })
    expect(commands).toEqual([])
  })

  it('refuse a program whose path or content is not the one that was approved', async () => {
    for (const changes of [{ path: '/usr/bin/env' }, { content: '1'.repeat(64) }]) {
      expect(await capabilities([await exec(changes)]).run(usual)).toMatchObject({ kind: 'failed' })
    }
    expect(commands).toEqual([])
  })

  it('take the profile from the permit and run nothing for a tool that has none', async () => {
    for (const profile of ['read-only', 'workspace-write', 'network']) {
      await capabilities([await exec()], `${profile}:0`).run(usual)
    }
    expect(commands.map((command) => command.profile)).toEqual(['read-only', 'workspace-write', 'network'])
    for (const held of ['none', 'files:0', 'script', 'browser', 'workspace-write', ':0', '']) {
      expect(await capabilities([await exec()], held).run(usual)).toMatchObject({ kind: 'failed' })
    }
    expect(commands).toHaveLength(3)
  })

  it('bound output, memory, processes and time, whatever the tool asks for', async () => {
    await capabilities([await exec()]).run({ ...usual, timeoutMs: 1e9 })
    const { maxOutputBytes, maxMemoryBytes, maxProcesses, maxTimeoutMs } = sandboxLimits
    expect(commands).toMatchObject([
      { maxOutputBytes, maxMemoryBytes, maxProcesses, timeoutMs: maxTimeoutMs },
    ])
  })

  it('give a network only with its profile, to the places named for CONNECT, and tell what was refused', async () => {
    const url = (host: string, method: string): Resource => ({
      type: 'url',
      scheme: 'https',
      host,
      port: 443,
      method,
      addressClass: 'name',
      redirects: 'refused',
      carries: 'address',
    })
    const subject = {
      resources: [await exec(), url('registry.example', 'CONNECT'), url('other.example', 'GET')],
      sandbox: 'network:0',
    } as unknown as ApprovalSubject
    const asking: Sandbox = {
      ...sandbox,
      async run(command) {
        const server = createServer()
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
        const opened = await command.network?.(server)
        const stdout = `${await ask(server, 'registry.example:443')} ${await ask(server, 'other.example:443')}`
        await opened?.close()
        return { ...ended, stdout }
      },
    }
    const places = { ports: [], allowPrivate: [{ host: '127.0.0.1', port: 1 }] }
    const result = await shellCapabilities(subject, {
      sandbox: asking,
      sealed,
      kept,
      held: undefined,
      programs,
      places,
    }).run(usual)
    expect(result).toMatchObject({ kind: 'ran', stdout: '502 403' })
    expect(result.kind === 'ran' && result.stderr).toBe(
      '[network] refused other.example:443: The permit does not name this place.\n',
    )
    await capabilities([await exec()]).run(usual)
    expect(commands[0]).not.toHaveProperty('network')
  })
})

/** The status of a CONNECT; a name that does not exist is 502 where it was allowed. */
function ask(server: Server, place: string): Promise<string> {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return new Promise((resolve) => {
    const socket = connect(address.port, '127.0.0.1')
    socket.once('data', (chunk: Buffer) => {
      resolve(chunk.toString().slice(9, 12))
      socket.destroy()
    })
    socket.write(`CONNECT ${place} HTTP/1.1\r\nHost: ${place}\r\n\r\n`)
  })
}
