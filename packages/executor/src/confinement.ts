/** Owns how tightly a tool is held: the limits of the sandbox and of the network, and the hashes that a permit binds. */
import { canonicalText } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import type { ExecutorTool } from '@countersign/tools'
import type { SandboxCommand } from './sandbox/port.ts'

export interface EgressLimits {
  /** Private or loopback places that the operator opened by name and port. */
  readonly allowPrivate: readonly { readonly host: string; readonly port: number }[]
  readonly ports: readonly number[]
}

/** The whole environment of a sandboxed program. */
export const sandboxEnvironment = {
  PATH: '/usr/local/bin:/usr/bin:/bin:/opt/node/bin',
  HOME: '/tmp',
  TMPDIR: '/tmp',
  LANG: 'C.UTF-8',
} as const

export const shellLimits = {
  profile: 'workspace-write',
  maxOutputBytes: 200_000,
  maxMemoryBytes: 1024 ** 3,
  maxProcesses: 128,
} as const satisfies Partial<SandboxCommand>

export interface Confinement {
  readonly sandbox: string
  readonly egress: string
}

export function confinementOf(tool: ExecutorTool, sandboxName: string, egress: EgressLimits): Confinement {
  const sandboxes = {
    none: 'none',
    files: `files:${hashOf({ sandboxName })}`,
    'read-only': `read-only:${hashOf({ sandboxName, ...shellLimits, environment: sandboxEnvironment })}`,
    network: `network:${hashOf({ sandboxName, ...shellLimits, environment: sandboxEnvironment })}`,
    script: 'script',
    browser: 'browser',
    'workspace-write': `workspace-write:${hashOf({ sandboxName, ...shellLimits, environment: sandboxEnvironment })}`,
  }
  const limits = {
    ports: egress.ports.toSorted((left, right) => left - right),
    allowPrivate: egress.allowPrivate.map(({ host, port }) => `${host}:${port}`).toSorted(),
  }
  return {
    sandbox: sandboxes[tool.sandbox],
    egress: tool.egress === 'none' ? 'none' : `checked:${hashOf(limits)}`,
  }
}

export const environmentHash = hashOf(sandboxEnvironment)

function hashOf(value: Parameters<typeof canonicalText>[0]): string {
  return sha256Hex(canonicalText(value))
}
