/** What every sandbox must hold, told from outside it: canary files, a canary listener, the host's process list. */

import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EgressProxy, openEgressProxy } from '../egress/proxy.ts'
import type { SandboxPaths } from './layout.ts'
import type { Sandbox, SandboxCommand, SandboxResult } from './port.ts'

export function sandboxContract(name: string, make: (place: SandboxPaths) => Promise<Sandbox>): void {
  describe(`the sandbox contract, held by ${name}`, () => {
    let root: string
    let workspace: string
    let stateDirectory: string
    let homeCanary: string
    let sandbox: Sandbox
    let listener: Server
    let connections = 0

    beforeAll(async () => {
      root = mkdtempSync(join(tmpdir(), 'sandbox-contract-'))
      workspace = join(root, 'workspace')
      stateDirectory = join(root, 'state')
      mkdirSync(join(workspace, '.state'), { recursive: true })
      mkdirSync(stateDirectory)
      homeCanary = mkdtempSync(join(homedir(), '.sandbox-canary-'))
      for (const folder of [stateDirectory, homeCanary, join(workspace, '.state')]) {
        writeFileSync(join(folder, 'canary'), 'CANARY-VALUE')
      }
      listener = createServer((socket) => {
        connections += 1
        socket.on('error', () => undefined).resume()
        socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 6\r\n\r\nCANARY')
      })
      await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
      sandbox = await make({ workspace, hidden: [stateDirectory, join(workspace, '.state')] })
    })

    afterAll(async () => {
      await new Promise((resolve) => listener.close(resolve))
      rmSync(root, { recursive: true, force: true })
      rmSync(homeCanary, { recursive: true, force: true })
    })

    const run = (
      argv: readonly string[],
      changes: Partial<SandboxCommand> = {},
      signal: AbortSignal = new AbortController().signal,
    ): Promise<SandboxResult> =>
      sandbox.run(
        {
          argv,
          cwd: '',
          env: {},
          profile: 'workspace-write',
          timeoutMs: 15_000,
          maxOutputBytes: 64 * 1024,
          maxMemoryBytes: 1024 ** 3,
          maxProcesses: 64,
          ...changes,
        },
        signal,
      )
    const shell = (script: string, changes: Partial<SandboxCommand> = {}): Promise<SandboxResult> =>
      run(['/bin/sh', '-c', script], changes)
    const python = (script: string, changes: Partial<SandboxCommand> = {}): Promise<SandboxResult> =>
      run(['/usr/bin/python3', '-c', script], changes)

    it('runs a command and returns what it printed', async () => {
      expect(await run(['echo', 'hello'])).toMatchObject({
        kind: 'exited',
        code: 0,
        stdout: 'hello\n',
        stderr: '',
      })
    })

    it('passes an argument on as one word, whatever it holds', async () => {
      expect(await run(['echo', '$(id); `id` "'])).toMatchObject({ stdout: '$(id); `id` "\n' })
    })

    it('reports the exit code of a command that failed', async () => {
      expect(await shell('echo bad >&2; exit 7')).toMatchObject({ kind: 'exited', code: 7, stderr: 'bad\n' })
    })

    it('gives a command its input, and an empty one otherwise', async () => {
      expect(await run(['cat'], { stdin: 'typed' })).toMatchObject({ code: 0, stdout: 'typed' })
      expect(await run(['cat'])).toMatchObject({ code: 0, stdout: '' })
    })

    it('starts in the chosen directory and refuses one outside the workspace', async () => {
      mkdirSync(join(workspace, 'sub'), { recursive: true })
      expect(await shell('basename "$PWD"', { cwd: 'sub' })).toMatchObject({ stdout: 'sub\n' })
      await expect(shell('true', { cwd: '../state' })).rejects.toThrow(TypeError)
      await expect(shell('true', { cwd: '/etc' })).rejects.toThrow(TypeError)
    })

    it('writes in the workspace with workspace-write and is refused with read-only', async () => {
      expect(await shell('echo new > written')).toMatchObject({ code: 0 })
      expect(readFileSync(join(workspace, 'written'), 'utf8')).toBe('new\n')
      const refused = await shell('echo changed > written; echo more > second', { profile: 'read-only' })
      expect(refused).not.toMatchObject({ code: 0 })
      expect(readFileSync(join(workspace, 'written'), 'utf8')).toBe('new\n')
      expect(existsSync(join(workspace, 'second'))).toBe(false)
    })

    it('cannot read a canary in the home directory, the state directory or a hidden part of the workspace', async () => {
      const inside = [
        '.state/canary',
        './.state/canary',
        `/proc/1/root${stateDirectory}/canary`,
        `/proc/self/root${stateDirectory}/canary`,
      ]
      for (const path of [join(homeCanary, 'canary'), join(stateDirectory, 'canary'), ...inside]) {
        const result = await run(['/bin/cat', path])
        expect(result).not.toMatchObject({ code: 0 })
        expect(result.stdout).not.toContain('CANARY-VALUE')
      }
      expect(readFileSync(join(stateDirectory, 'canary'), 'utf8')).toBe('CANARY-VALUE')
    })

    it('sees the files that are given instead of the workspace, and can change neither', async () => {
      const given = join(root, 'given')
      mkdirSync(given)
      writeFileSync(join(given, 'a.txt'), 'given')
      writeFileSync(join(workspace, 'kept.txt'), 'kept')
      const instead = [
        { from: given, at: '/opt/given' },
        { from: join(given, 'a.txt'), at: '/opt/other/b.txt' },
      ]
      const look = 'cat /opt/given/a.txt /opt/other/b.txt; ls /workspace 2>/dev/null; pwd; cat'
      const stdin = Buffer.from([0x6f, 0x6b, 0x0a])
      const seen = await shell(look, { profile: 'read-only', instead, stdin })
      expect(seen).toMatchObject({ stdout: 'givengiven/\nok\n' })
      const change =
        'echo x > /opt/given/a.txt; echo x > /opt/given/new; echo x > /new; echo x > /workspace/new'
      expect(await shell(change, { profile: 'read-only', instead })).not.toMatchObject({ code: 0 })
      expect(readFileSync(join(given, 'a.txt'), 'utf8')).toBe('given')
      expect(existsSync(join(given, 'new'))).toBe(false)
      await expect(shell('true', { instead })).rejects.toThrow(TypeError)
    })

    it('sees neither home directories nor the shadow file', async () => {
      expect((await shell('ls -d /root /home /var /etc/shadow 2>/dev/null')).stdout).toBe('')
      expect((await shell('find /sys /run -mindepth 1 2>/dev/null')).stdout).toBe('')
    })

    it('cannot reach a listener on the loopback of the host', async () => {
      const { port } = listener.address() as AddressInfo
      const before = connections
      const control = spawnSync('/usr/bin/python3', ['-c', connectScript('127.0.0.1', port)])
      expect(control.status).toBe(0)
      await expect.poll(() => connections).toBe(before + 1)
      for (const host of ['127.0.0.1', '0.0.0.0', '::ffff:127.0.0.1']) {
        expect(await python(connectScript(host, port))).not.toMatchObject({ code: 0 })
      }
      await sleep(50)
      expect(connections).toBe(before + 1)
    })

    it('reaches with network the place that is allowed, and no other, by the proxy or past it', async () => {
      const { port } = listener.address() as AddressInfo
      const before = connections
      let proxy: EgressProxy | undefined
      const changes: Partial<SandboxCommand> = {
        profile: 'network',
        network: async (given) => {
          proxy = await openEgressProxy({
            allow: (host, wanted) => host === '127.0.0.1' && wanted === port,
            policy: { ports: [], allowPrivate: [{ host: '127.0.0.1', port }] },
            listen: { server: given },
            signal: new AbortController().signal,
          })
          return proxy
        },
      }
      const fetched = await python(fetchScript(`http://127.0.0.1:${port}/`), changes)
      expect(fetched).toMatchObject({ code: 0, stdout: 'CANARY\n' })
      expect(connections).toBe(before + 1)
      for (const place of [
        `127.0.0.1:${port === 65_535 ? 1 : port + 1}`,
        `localhost:${port}`,
        '169.254.169.254',
      ]) {
        const refused = await python(fetchScript(`http://${place}/`), changes)
        expect(refused).not.toMatchObject({ code: 0 })
        expect(refused.stderr).toContain('403')
        expect(proxy?.refused()).toHaveLength(1)
      }
      for (const host of ['127.0.0.1', '::ffff:127.0.0.1']) {
        expect(await python(connectScript(host, port), changes)).not.toMatchObject({ code: 0 })
      }
      expect(connections).toBe(before + 1)
      expect(await shell('echo kept > from-network', changes)).toMatchObject({ code: 0 })
      expect(readFileSync(join(workspace, 'from-network'), 'utf8')).toBe('kept\n')
    })

    it('gives a command with network its words, input, exit code and time as any other', async () => {
      let served: Server | undefined
      const changes: Partial<SandboxCommand> = {
        profile: 'network',
        network: async (given) => {
          served = given
          return { close: async () => void given.close() }
        },
      }
      expect(await run(['cat'], { ...changes, stdin: 'typed' })).toMatchObject({ code: 0, stdout: 'typed' })
      expect(served?.listening).toBe(false)
      expect(await shell('yes | head -n 1; exit 7', changes)).toMatchObject({
        code: 7,
        stdout: 'y\n',
        stderr: '',
      })
      expect(await run(['sleep', '20'], { ...changes, timeoutMs: 1_500 })).toMatchObject({ kind: 'timeout' })
      await expect(run(['true'], { profile: 'network' })).rejects.toThrow(TypeError)
      const broken = async () => Promise.reject(new Error('no proxy'))
      await expect(run(['touch', 'unserved'], { ...changes, network: broken })).rejects.toThrow('no proxy')
      expect(existsSync(join(workspace, 'unserved'))).toBe(false)
    })

    it('cannot reach a unix socket that lies in the workspace, with any profile', async () => {
      let reached = 0
      const place = join(workspace, 'host.sock')
      const host = createServer((socket) => {
        reached += 1
        socket.destroy()
      })
      await new Promise<void>((resolve) => host.listen(place, resolve))
      const script = 'import socket; socket.socket(socket.AF_UNIX).connect("/workspace/host.sock")'
      const network: SandboxCommand['network'] = async (given) => ({ close: async () => void given.close() })
      for (const profile of ['read-only', 'workspace-write', 'network'] as const) {
        expect(await python(script, { profile, network })).toMatchObject({ code: 1 })
      }
      await new Promise((resolve) => host.close(resolve))
      expect(reached).toBe(0)
    })

    it('has no network device but its own loopback', async () => {
      const result = await python('import socket; print([name for _, name in socket.if_nameindex()])')
      expect(result).toMatchObject({ code: 0, stdout: "['lo']\n" })
    })

    it('refuses sockets that a network namespace does not fence', async () => {
      for (const family of ['AF_UNIX', 'AF_VSOCK', 'AF_PACKET']) {
        const result = await python(`import socket; socket.socket(socket.${family}, socket.SOCK_STREAM)`)
        expect(result).not.toMatchObject({ code: 0 })
      }
      expect(await python('import socket; socket.socketpair()')).toMatchObject({ code: 0 })
      const datagrams = 'import socket; socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)'
      expect(await python(datagrams)).toMatchObject({ code: 1 })
    })

    it('cannot write through a symlink that points outside', async () => {
      symlinkSync(join(stateDirectory, 'canary'), join(workspace, 'link'))
      symlinkSync(stateDirectory, join(workspace, 'folder'))
      await shell('echo gone > link; echo gone > folder/canary; echo gone > folder/fresh')
      expect(readFileSync(join(stateDirectory, 'canary'), 'utf8')).toBe('CANARY-VALUE')
      expect(existsSync(join(stateDirectory, 'fresh'))).toBe(false)
    })

    it('cannot open a setting of the kernel for writing', async () => {
      const script = `
import os
for path in ['/proc/sys/kernel/core_pattern', '/proc/sys/kernel/hostname', '/proc/sys/vm/drop_caches', '/proc/sysrq-trigger']:
    try:
        os.close(os.open(path, os.O_WRONLY))
        print('opened', path)
    except OSError:
        pass
`
      expect(await python(script)).toMatchObject({ code: 0, stdout: '' })
    })

    it('cannot write anywhere but in the workspace and its private temporary directories', async () => {
      const script =
        'for d in / /usr /etc /dev /opt /proc /run /sys; do touch "$d/probe" 2>/dev/null && echo "$d"; done; touch /tmp/probe'
      expect(await shell(script)).toMatchObject({ code: 0, stdout: '' })
      expect(existsSync('/tmp/probe')).toBe(false)
    })

    it('holds no capability, gains none, and cannot make a namespace, mount or trace', async () => {
      const status = await shell(
        'grep -E "^(CapEff|CapBnd|NoNewPrivs|Seccomp):" /proc/self/status | tr -d "\\t"',
      )
      expect(status.stdout).toBe(
        'CapEff:0000000000000000\nCapBnd:0000000000000000\nNoNewPrivs:1\nSeccomp:2\n',
      )
      for (const attempt of [
        'unshare -U true',
        'unshare -m true',
        'mount -t tmpfs none /tmp',
        'umount /proc',
      ]) {
        expect(await shell(attempt)).not.toMatchObject({ code: 0 })
      }
      // The call behind unshare, which makes a process and its namespace in one step.
      const clone =
        'import ctypes, sys; sys.exit(0 if ctypes.CDLL(None).syscall(56, 0x10000011, 0, 0, 0, 0) >= 0 else 1)'
      if (process.arch === 'x64') expect(await python(clone)).toMatchObject({ code: 1 })
      const trace = 'import ctypes, sys; sys.exit(0 if ctypes.CDLL(None).ptrace(0, 0, 0, 0) == 0 else 1)'
      expect(await python(trace)).toMatchObject({ code: 1 })
    })

    it('cannot make a file that runs as its owner', async () => {
      const made = await shell(
        'cp /usr/bin/id owned; chmod 755 owned; chmod 4755 owned; chmod 2755 owned; chmod u+s owned',
      )
      expect(made).toMatchObject({ kind: 'exited', code: 1 })
      const script = 'import os; os.open("owned-from-the-start", os.O_CREAT | os.O_WRONLY, 0o4755)'
      expect(await python(script)).toMatchObject({ code: 1 })
      expect(statSync(join(workspace, 'owned')).mode & 0o7777).toBe(0o755)
      expect(existsSync(join(workspace, 'owned-from-the-start'))).toBe(false)
    })

    it('kills grandchildren when the time is up', async () => {
      const marker = `7${process.pid}.25`
      const script = `(setsid sleep ${marker} & ); nohup sleep ${marker} & sleep ${marker}`
      const pending = shell(script, { timeoutMs: 700 })
      await expect.poll(() => hostProcesses(marker)).toBeGreaterThanOrEqual(3)
      expect(await pending).toMatchObject({ kind: 'timeout' })
      await expect.poll(() => hostProcesses(marker)).toBe(0)
    })

    it('leaves nothing behind when the command itself ends well', async () => {
      const marker = `8${process.pid}.25`
      expect(await shell(`setsid sleep ${marker} >/dev/null 2>&1 & echo done`)).toMatchObject({ code: 0 })
      await expect.poll(() => hostProcesses(marker)).toBe(0)
    })

    it('ends at once when cancelled, and runs nothing when cancelled before', async () => {
      const controller = new AbortController()
      const script = ['/bin/sh', '-c', 'touch begun; sleep 600']
      const pending = run(script, { timeoutMs: 600_000 }, controller.signal)
      await expect.poll(() => existsSync(join(workspace, 'begun'))).toBe(true)
      controller.abort()
      expect(await pending).toMatchObject({ kind: 'cancelled' })
      expect(await run(['touch', 'late'], {}, AbortSignal.abort())).toMatchObject({ kind: 'cancelled' })
      expect(existsSync(join(workspace, 'late'))).toBe(false)
    })

    it('keeps no more output than allowed and says so', async () => {
      const result = await shell('head -c 300000 /dev/zero | tr "\\0" x; echo e >&2', {
        maxOutputBytes: 1000,
      })
      expect(result).toMatchObject({ kind: 'exited', code: 0, truncated: true })
      expect(result.stdout.length + result.stderr.length).toBeLessThanOrEqual(1000)
      expect(await shell('printf 12345', { maxOutputBytes: 5 })).toMatchObject({
        stdout: '12345',
        truncated: false,
      })
    })

    it('bounds a fork bomb', async () => {
      const script = `
import os, time
made = 0
try:
    for _ in range(200):
        if os.fork() == 0:
            time.sleep(20)
            os._exit(0)
        made += 1
except OSError:
    pass
print(made, flush=True)
os._exit(0)
`
      const result = await python(script, { maxProcesses: 20 })
      expect(result).toMatchObject({ kind: 'exited', code: 0 })
      expect(Number(result.stdout)).toBeGreaterThan(0)
      expect(Number(result.stdout)).toBeLessThanOrEqual(22)
    })

    it('bounds memory, be it private, shared or in a file without a disk', async () => {
      const limit = { maxMemoryBytes: 800 * 1024 ** 2 }
      expect(await python('print(len(bytearray(100 * 1024 ** 2)))', limit)).toMatchObject({ code: 0 })
      expect(await python('bytearray(1200 * 1024 ** 2)', limit)).not.toMatchObject({ code: 0 })
      expect(await python('import mmap; mmap.mmap(-1, 1024 ** 2)', limit)).not.toMatchObject({ code: 0 })
      expect(await python('import os; os.memfd_create("m")', limit)).not.toMatchObject({ code: 0 })
      expect(await shell('head -c 80M /dev/zero > /tmp/fill', limit)).not.toMatchObject({ code: 0 })
      expect(await shell('head -c 80M /dev/zero > /dev/shm/fill', limit)).not.toMatchObject({ code: 0 })
    })

    it('runs Python and Node within its limits', async () => {
      const least = { maxMemoryBytes: 1, maxProcesses: 32 }
      expect(await python('print(1 + 1)', least)).toMatchObject({ code: 0, stdout: '2\n' })
      const result = await run(['/opt/node/bin/node', '-e', 'console.log(2 + 2)'], least)
      expect(result).toMatchObject({ code: 0, stdout: '4\n' })
    })

    it('shows the command its own environment and nothing of the host', async () => {
      const result = await run(['env'], { env: { GIVEN: 'yes', LD_PRELOAD: '/nowhere.so' } })
      const names = result.stdout
        .trim()
        .split('\n')
        .map((line) => line.split('=')[0])
      expect(new Set(names)).toEqual(
        new Set(['GIVEN', 'HOME', 'LANG', 'LD_PRELOAD', 'PATH', 'PWD', 'TMPDIR']),
      )
      await expect(run(['env'], { env: { 'A=B': 'c' } })).rejects.toThrow(TypeError)
    })

    it('does not show its environment in the process list of the host', async () => {
      const secret = `value-${process.pid}-in-env`
      const controller = new AbortController()
      const script = ['/bin/sh', '-c', 'touch with-secret; sleep 600']
      const pending = run(script, { env: { SECRET: secret }, timeoutMs: 600_000 }, controller.signal)
      await expect.poll(() => existsSync(join(workspace, 'with-secret'))).toBe(true)
      expect(hostProcesses(secret)).toBe(0)
      controller.abort()
      expect(await pending).toMatchObject({ kind: 'cancelled' })
    })

    it('shows only its own processes', async () => {
      const result = await shell('ls /proc | grep -c "^[0-9]"; cat /proc/[0-9]*/cmdline | tr "\\0" " "')
      expect(Number(result.stdout.split('\n')[0])).toBeLessThanOrEqual(6)
      expect(result.stdout).not.toContain('vitest')
    })

    it('does not hand on a descriptor of the host', async () => {
      const script = 'import os; print(sorted(map(int, os.listdir("/proc/self/fd"))))'
      expect(await python(script)).toMatchObject({ stdout: '[0, 1, 2, 3]\n' })
      const network: SandboxCommand['network'] = async (given) => ({ close: async () => void given.close() })
      expect(await python(script, { profile: 'network', network })).toMatchObject({
        stdout: '[0, 1, 2, 3]\n',
      })
    })

    it('keeps a service until it is ended, and then nothing of it is left', async () => {
      const marker = `9${process.pid}.25`
      const service = sandbox.start({
        argv: ['/bin/sh', '-c', `sleep ${marker} & cat`],
        cwd: '',
        env: {},
        profile: 'workspace-write',
        maxMemoryBytes: 1024 ** 3,
        maxProcesses: 16,
      })
      const answer = new Promise<string>((resolve) => {
        service.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString()))
      })
      service.stdin.write('said\n')
      expect(await answer).toBe('said\n')
      // The shell begins it beside the answer, which may come first.
      await expect.poll(() => hostProcesses(marker)).toBe(1)
      service.kill()
      await service.ended
      await expect.poll(() => hostProcesses(marker)).toBe(0)
    })
  })
}

function connectScript(host: string, port: number): string {
  const family = host.includes(':') ? 'AF_INET6' : 'AF_INET'
  return `import socket; s = socket.socket(socket.${family}); s.settimeout(2); s.connect((${JSON.stringify(host)}, ${port}))`
}

/** Goes by the proxy that the environment names. */
function fetchScript(url: string): string {
  return `import urllib.request; print(urllib.request.urlopen(${JSON.stringify(url)}, timeout=5).read().decode())`
}

/** Counted from /proc of the host, so that what the sandbox believes does not matter. */
function hostProcesses(marker: string): number {
  const listing = spawnSync('/bin/sh', ['-c', 'cat /proc/[0-9]*/cmdline 2>/dev/null | tr "\\0" "\\n"'], {
    encoding: 'utf8',
  })
  return listing.stdout.split('\n').filter((word) => word === marker || word.endsWith(`=${marker}`)).length
}
