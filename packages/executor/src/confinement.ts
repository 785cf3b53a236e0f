/** Owns how tightly a tool is held: the limits of the sandbox and of the network, and the hashes that a permit binds. */
import { canonicalText } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import type { ExecutorTool } from '@countersign/tools'
import { agentLimits } from './coding-agents/limits.ts'
import { documentLimits } from './documents/limits.ts'
import { serverLimits } from './extensions/server-limits.ts'
import { largestFileBytes, mostOpenFiles, temporaryBytes } from './sandbox/layout.ts'
import type { SandboxProfile } from './sandbox/port.ts'

export interface AllowedDestinations {
  /** Private or loopback places that the operator opened by name and port. */
  readonly allowPrivate: readonly { readonly host: string; readonly port: number }[]
  readonly ports: readonly number[]
}

/** The whole environment of a sandboxed program; one with network is told of its proxy besides. */
export const sandboxEnvironment = {
  PATH: '/usr/local/bin:/usr/bin:/bin:/opt/node/bin',
  HOME: '/tmp',
  TMPDIR: '/tmp',
  LANG: 'C.UTF-8',
  // What tools keep for themselves is not what a program was run for, and every change is looked at.
  GIT_OPTIONAL_LOCKS: '0',
  PYTHONPYCACHEPREFIX: '/tmp/python-cache',
  PYTEST_ADDOPTS: '-o cache_dir=/tmp/pytest-cache',
  MYPY_CACHE_DIR: '/tmp/mypy-cache',
  RUFF_CACHE_DIR: '/tmp/ruff-cache',
} as const

/** What a sandboxed program has of everything. A permit binds these numbers. */
export const sandboxLimits = {
  /** For a tool that says nothing about time. */
  timeoutMs: 30_000,
  maxTimeoutMs: 600_000,
  /** Of standard output and standard error together. */
  maxOutputBytes: 1_000_000,
  maxMemoryBytes: 1024 ** 3,
  maxProcesses: 128,
  temporaryBytes,
  largestFileBytes,
  mostOpenFiles,
  /** Over the network, both ways together. */
  maxNetworkBytes: 512 * 1024 * 1024,
  maxConnections: 64,
} as const

/** The profiles under which a program runs. */
export function programProfile(sandbox: string): SandboxProfile | undefined {
  const name = sandbox.slice(0, Math.max(sandbox.indexOf(':'), 0))
  return programProfiles.find((profile) => profile === name)
}

const programProfiles = ['read-only', 'workspace-write', 'network'] as const satisfies SandboxProfile[]

export interface Confinement {
  readonly sandbox: string
  readonly egress: string
}

export function confinementOf(
  tool: ExecutorTool,
  sandboxName: string,
  egress: AllowedDestinations,
): Confinement {
  const held = (profile: string) =>
    `${profile}:${hashOf({ sandboxName, profile, limits: sandboxLimits, environment: sandboxEnvironment })}`
  const sandboxes = {
    none: 'none',
    files: `files:${hashOf({ sandboxName })}`,
    'read-only': held('read-only'),
    'workspace-write': held('workspace-write'),
    network: held('network'),
    script: 'script',
    browser: 'browser',
    agent: `agent:${hashOf({ sandboxName, limits: agentLimits, environment: sandboxEnvironment })}`,
    server: `server:${hashOf({ sandboxName, limits: serverLimits, environment: sandboxEnvironment })}`,
    documents: `documents:${hashOf({ sandboxName, limits: documentLimits })}`,
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
