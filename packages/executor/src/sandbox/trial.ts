/**
 * Owns the trial that a sandbox passes before it is called available: one command that reports from inside what it is
 * held by. Refuses a sandbox that lacks a namespace, a filter, or Node, whatever it says of itself.
 */
import { readlinkSync } from 'node:fs'
import { leastMemoryBytes, sandboxNode } from './layout.ts'
import type { Sandbox, SandboxProbe } from './port.ts'

export async function tryOut(sandbox: Sandbox, fix: string): Promise<SandboxProbe> {
  const unavailable = (reason: string): SandboxProbe => ({ kind: 'unavailable', reason, fix })
  try {
    const result = await sandbox.run(
      {
        argv: ['/bin/sh', '-c', report],
        cwd: '',
        env: {},
        profile: 'read-only',
        timeoutMs: 20_000,
        maxOutputBytes: 4_096,
        maxMemoryBytes: leastMemoryBytes,
        maxProcesses: 16,
      },
      new AbortController().signal,
    )
    if (result.kind !== 'exited' || result.code !== 0) {
      return unavailable(`a trial command did not end well: ${result.stderr.trim() || result.kind}`)
    }
    const missing = missingFrom(result.stdout)
    return missing === null ? { kind: 'available', sandbox } : unavailable(missing)
  } catch (error) {
    return unavailable(error instanceof Error ? error.message : String(error))
  }
}

const namespaces = ['ipc', 'mnt', 'net', 'pid', 'user', 'uts'] as const
const held = {
  'CapEff:0000000000000000': 'holds capabilities',
  'CapBnd:0000000000000000': 'can gain capabilities',
  'NoNewPrivs:1': 'can gain privileges',
  'Seccomp:2': 'has no system-call filter',
} as const

const report = [
  `readlink ${namespaces.map((name) => `/proc/self/ns/${name}`).join(' ')}`,
  'grep -E "^(CapEff|CapBnd|NoNewPrivs|Seccomp):" /proc/self/status | tr -d "\\t"',
  `exec ${sandboxNode} --version`,
].join('; ')

function missingFrom(stdout: string): string | null {
  const lines = new Set(stdout.trim().split('\n'))
  for (const name of namespaces) {
    const [own] = [...lines].filter((line) => line.startsWith(`${name}:`))
    if (own === undefined || own === readlinkSync(`/proc/self/ns/${name}`)) {
      return `the sandbox shares the ${name} namespace of the host`
    }
  }
  for (const [line, problem] of Object.entries(held)) if (!lines.has(line)) return `the sandbox ${problem}`
  return /^v\d+\.\d+\.\d+$/m.test(stdout) ? null : 'Node.js does not start in the sandbox'
}
